// Draws grids with WebGL2. Each frame uploads only the columns that changed.
import { HeatGrid, ringColumns } from "./grid.js";
import { bubbleFragment, bubbleVertex, cellFragment, cellVertex } from "./shaders.js";
import type { HeatmapView } from "./window.js";

export interface Colours {
  bid: number[];
  ask: number[];
  cross: number[];
  rim: number[];
  palette: Uint8Array;
}

interface Textures {
  cells: WebGLTexture;
  lines: WebGLTexture;
}

interface Program {
  program: WebGLProgram;
  /** Place of a uniform. */
  at(name: string): WebGLUniformLocation | null;
}

/** x, y and diameter in device pixels; place in `tradeKinds`. */
export type Bubbles = { values: Float32Array; count: number };

export class Renderer {
  private readonly gl: WebGL2RenderingContext;
  private cellProgram!: Program;
  private bubbleProgram!: Program;
  private readonly textures = new Map<HeatGrid, Textures>();
  private colourTexture!: WebGLTexture;
  private bubbleBuffer!: WebGLBuffer;
  private colours: Colours | undefined;

  /**
   * Throws if the browser has no WebGL2. The WebGL context may be lost for a while; `changed` is
   * called when it is lost and when it is restored.
   */
  constructor(
    readonly canvas: HTMLCanvasElement,
    changed: () => void,
  ) {
    const gl = canvas.getContext("webgl2", { alpha: true, antialias: false, depth: false });
    if (!gl) throw new Error("this browser has no WebGL2");
    this.gl = gl;
    this.setUp();
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      changed();
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.setUp();
      changed();
    });
  }

  get lost(): boolean {
    return this.gl.isContextLost();
  }

  private setUp(): void {
    const { gl } = this;
    this.cellProgram = this.program(cellVertex, cellFragment);
    this.bubbleProgram = this.program(bubbleVertex, bubbleFragment);
    this.colourTexture = gl.createTexture();
    this.bubbleBuffer = gl.createBuffer();
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    for (const grid of this.textures.keys()) grid.markAll();
    this.textures.clear();
    if (this.colours) this.setColours(this.colours);
  }

  setColours(colours: Colours): void {
    const { gl } = this;
    this.colours = colours;
    gl.bindTexture(gl.TEXTURE_2D, this.colourTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colours.palette);
    this.parameters(gl.LINEAR);
  }

  /** Forgets a grid that is drawn no more. */
  drop(grid: HeatGrid): void {
    const textures = this.textures.get(grid);
    if (!textures) return;
    this.gl.deleteTexture(textures.cells);
    this.gl.deleteTexture(textures.lines);
    this.textures.delete(grid);
  }

  /** Grids from back to front; a place that one does not know shows the one behind. */
  draw(view: HeatmapView, grids: HeatGrid[], scale: [number, number], bubbles: Bubbles): void {
    const { gl, colours, canvas } = this;
    if (!colours) return;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    for (const grid of grids) this.drawGrid(view, grid, scale, colours);
    if (bubbles.count) this.drawBubbles(bubbles, colours);
  }

  private drawGrid(
    view: HeatmapView,
    grid: HeatGrid,
    scale: [number, number],
    colours: Colours,
  ): void {
    const {
      gl,
      canvas,
      cellProgram: { program, at },
    } = this;
    const textures = this.upload(grid);
    const { columnNs, low, step } = grid.shape;
    const left = view.startNs / columnNs;
    const column = Math.floor(left);
    gl.useProgram(program);
    gl.disable(gl.BLEND);
    [textures.cells, textures.lines, this.colourTexture].forEach((texture, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, texture);
    });
    gl.uniform1i(at("cells"), 0);
    gl.uniform1i(at("lines"), 1);
    gl.uniform1i(at("colours"), 2);
    gl.uniform2f(at("columnsOf"), left - column, view.spanNs / columnNs / canvas.width);
    gl.uniform2f(
      at("rowsOf"),
      (view.low + view.halfTick - low) / step,
      (view.high - view.low) / step / canvas.height,
    );
    gl.uniform1i(at("slot"), HeatGrid.slot(column));
    gl.uniform1i(at("round"), HeatGrid.round(column));
    gl.uniform1f(at("step"), step);
    gl.uniform1f(at("halfTick"), view.halfTick);
    gl.uniform2f(at("scale"), ...scale);
    gl.uniform3fv(at("bidColour"), colours.bid);
    gl.uniform3fv(at("askColour"), colours.ask);
    gl.uniform1f(at("lineHalf"), window.devicePixelRatio);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  private drawBubbles(bubbles: Bubbles, colours: Colours): void {
    const {
      gl,
      canvas,
      bubbleProgram: { program, at },
    } = this;
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.bubbleBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, bubbles.values.subarray(0, bubbles.count * 4), gl.STREAM_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.uniform2f(at("size"), canvas.width, canvas.height);
    gl.uniform3fv(at("bidColour"), colours.bid);
    gl.uniform3fv(at("askColour"), colours.ask);
    gl.uniform3fv(at("crossColour"), colours.cross);
    gl.uniform3fv(at("rimColour"), colours.rim);
    gl.drawArrays(gl.POINTS, 0, bubbles.count);
    gl.disableVertexAttribArray(0);
  }

  private upload(grid: HeatGrid): Textures {
    const { gl } = this;
    let textures = this.textures.get(grid);
    if (!textures) {
      textures = {
        cells: this.storage(gl.RG32F, grid.shape.rows),
        lines: this.storage(gl.RGBA32F, 1),
      };
      // New storage is zero, as columns are that nobody has written: the others are all dirty.
      this.textures.set(grid, textures);
    }
    const { rows } = grid.shape;
    for (const [from, until] of grid.dirty) {
      gl.bindTexture(gl.TEXTURE_2D, textures.cells);
      gl.texSubImage2D(
        gl.TEXTURE_2D,
        0,
        0,
        from,
        rows,
        until - from,
        gl.RG,
        gl.FLOAT,
        grid.cells.subarray(from * rows * 2, until * rows * 2),
      );
      gl.bindTexture(gl.TEXTURE_2D, textures.lines);
      gl.texSubImage2D(
        gl.TEXTURE_2D,
        0,
        0,
        from,
        1,
        until - from,
        gl.RGBA,
        gl.FLOAT,
        grid.lines.subarray(from * 4, until * 4),
      );
    }
    grid.dirty = [];
    return textures;
  }

  private storage(format: number, width: number): WebGLTexture {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, ringColumns);
    this.parameters(gl.NEAREST);
    return texture;
  }

  private parameters(filter: number): void {
    const { gl } = this;
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
      gl.texParameteri(gl.TEXTURE_2D, name, filter);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  }

  private program(vertex: string, fragment: string): Program {
    const { gl } = this;
    const program = gl.createProgram();
    const parts = [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ] as const;
    for (const [kind, source] of parts) {
      const shader = gl.createShader(kind)!;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
        throw new Error(gl.getShaderInfoLog(shader) ?? "a shader does not compile");
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS))
      throw new Error(gl.getProgramInfoLog(program) ?? "a shader does not link");
    const places = new Map<string, WebGLUniformLocation | null>();
    for (let i = 0; i < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); i++) {
      const { name } = gl.getActiveUniform(program, i)!;
      places.set(name, gl.getUniformLocation(program, name));
    }
    return { program, at: (name) => places.get(name) ?? null };
  }
}
