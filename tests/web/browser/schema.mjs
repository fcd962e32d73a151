// Whether a message is what its schema says: as much of JSON Schema as the description uses.
const isOf = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  integer: Number.isInteger,
  number: (value) => typeof value === "number",
};

/** Undefined: nothing is wrong. */
export function faultOf(value, schema, description, where = "") {
  if (schema.$ref) {
    const path = schema.$ref.slice(2).split("/");
    const named = path.reduce((found, name) => found[name], description);
    return faultOf(value, named, description, where);
  }
  if (![schema.type].flat().some((type) => isOf[type](value))) return `${where}: type`;
  if (schema.enum && !schema.enum.includes(value)) return `${where}: not listed`;
  if (Array.isArray(value)) {
    if (value.length < (schema.minItems ?? 0) || value.length > (schema.maxItems ?? Infinity))
      return `${where}: ${value.length} values`;
    return firstOf(value, (one) => faultOf(one, schema.items, description, where));
  }
  if (!isOf.object(value)) return undefined;
  const missing = (schema.required ?? []).find((name) => !(name in value));
  if (missing) return `${where}.${missing}: missing`;
  return firstOf(Object.entries(value), ([name, one]) => {
    const found = schema.properties?.[name] ?? schema.additionalProperties;
    if (!found) return `${where}.${name}: not described`;
    return faultOf(one, found, description, `${where}.${name}`);
  });
}

function firstOf(values, fault) {
  for (const value of values) {
    const found = fault(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
