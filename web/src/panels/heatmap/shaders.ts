// What the graphics card does for the heatmap. Columns are rows of the texture, so that a new
// column is one piece of memory.
import { ringColumns } from "./grid.js";

const head = "#version 300 es\nprecision highp float;\nprecision highp int;\n";

export const cellVertex = `${head}
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

export const cellFragment = `${head}
uniform sampler2D cells;      // x: row, y: column; bid and ask quantity
uniform sampler2D lines;      // y: column; best bid, best ask, round
uniform sampler2D colours;
uniform vec2 columnsOf;       // of the left edge, after its whole column; of a pixel
uniform vec2 rowsOf;          // of the bottom edge; of a pixel
uniform int slot;             // of the left column
uniform int round;            // of the left column
uniform float step;           // units of a row
uniform float halfTick;       // units by which a row begins below its lowest price
uniform vec2 scale;           // log2 of the quantity at the darkest and at the brightest colour
uniform vec3 bidColour;
uniform vec3 askColour;
uniform float lineHalf;       // half the width of a line in pixels
out vec4 colour;

const int ring = ${ringColumns};

vec3 lineAt(int column) {
  int place = slot + column;
  vec3 at = texelFetch(lines, ivec2(0, place % ring), 0).xyz;
  int expected = place < ring ? round : round % 1024 + 1;
  return abs(at.z - float(expected)) < 0.5 ? at : vec3(-1e9, -1e9, 0.0);
}

// Whether the line through the column, or its step from the column before, covers the pixel.
float covers(float here, float before, float y, float fromLeft) {
  if (here < -1e8) return 0.0;
  float level = 1.0 - smoothstep(lineHalf - 0.5, lineHalf + 0.5, abs(y - here));
  if (before < -1e8 || fromLeft > 2.0 * lineHalf) return level;
  return y > min(here, before) - lineHalf && y < max(here, before) + lineHalf ? 1.0 : level;
}

void main() {
  float place = columnsOf.x + gl_FragCoord.x * columnsOf.y;
  int column = int(floor(place));
  vec3 here = lineAt(column);
  if (here.z < 0.5) discard;
  float row = rowsOf.x + gl_FragCoord.y * rowsOf.y;
  float quantity = 0.0;
  if (row >= 0.0 && row < float(textureSize(cells, 0).x)) {
    vec2 cell = texelFetch(cells, ivec2(int(row), (slot + column) % ring), 0).xy;
    quantity = cell.x + cell.y;
  }
  float part = clamp((log2(1.0 + quantity) - scale.x) / (scale.y - scale.x), 0.0, 1.0);
  if (quantity > 0.0) part = max(part, 0.03);
  vec3 shade = texture(colours, vec2(0.5 / 256.0 + part * 255.0 / 256.0, 0.5)).rgb;

  vec3 before = column > 0 ? lineAt(column - 1) : vec3(-1e9);
  float pixelsOfUnit = 1.0 / (step * rowsOf.y);
  float y = (row * step - halfTick) * pixelsOfUnit;
  float fromLeft = (place - floor(place)) / columnsOf.y;
  float bid = covers(here.x < -1e8 ? here.x : here.x * pixelsOfUnit,
                     before.x < -1e8 ? before.x : before.x * pixelsOfUnit, y, fromLeft);
  float ask = covers(here.y < -1e8 ? here.y : here.y * pixelsOfUnit,
                     before.y < -1e8 ? before.y : before.y * pixelsOfUnit, y, fromLeft);
  shade = mix(mix(shade, bidColour, bid), askColour, ask);
  colour = vec4(shade, 1.0);
}`;

export const bubbleVertex = `${head}
layout(location = 0) in vec4 bubble;  // x, y and diameter in pixels; 0: sold, 1: bought, 2: crossed
uniform vec2 size;
out float kind;
out float diameter;
void main() {
  gl_Position = vec4(bubble.x / size.x * 2.0 - 1.0, 1.0 - bubble.y / size.y * 2.0, 0.0, 1.0);
  gl_PointSize = bubble.z + 2.0;
  diameter = bubble.z + 2.0;
  kind = bubble.w;
}`;

export const bubbleFragment = `${head}
in float kind;
in float diameter;
uniform vec3 bidColour;
uniform vec3 askColour;
uniform vec3 crossColour;
uniform vec3 rimColour;
out vec4 colour;
void main() {
  float radius = diameter * 0.5;
  float away = length(gl_PointCoord - 0.5) * diameter;
  float inside = 1.0 - smoothstep(radius - 1.0, radius, away);
  if (inside <= 0.0) discard;
  vec3 fill = kind > 1.5 ? crossColour : kind > 0.5 ? bidColour : askColour;
  float rim = smoothstep(radius - 2.0, radius - 1.0, away);
  colour = vec4(mix(fill, rimColour, rim), inside * mix(0.78, 0.9, rim));
}`;
