// What can stand at a place of a scene, from the JSON Schema of scenes or instruments.

const NAME = /[\w-]/;

/** All forms that a value can have: a schema, what it refers to, and each of its alternatives. */
function forms(schema, node, depth = 0) {
  if (!node || typeof node !== 'object' || depth > 8) return [];
  if (node.$ref) return forms(schema, node.$ref.slice(2).split('/').reduce((at, name) => at?.[name], schema), depth + 1);
  const within = ['oneOf', 'anyOf', 'allOf'].flatMap(each => node[each] ?? []);
  return [node, ...within.flatMap(each => forms(schema, each, depth + 1))];
}

/** The forms of what stands under a key. */
const under = (schema, nodes, key) => nodes.flatMap(node => {
  const found = node.properties?.[key] ?? node.additionalProperties ?? Object.values(node.patternProperties ?? {})[0];
  return forms(schema, found).flatMap(each => [each, ...forms(schema, each.items)]);
});

const parts = path => path.split('.').map(part => part.trim().replace(/^"|"$/g, '')).filter(Boolean);

/** The keys by which alternatives are told apart. */
const TAGS = ['kind', 'scheme', 'law', 'gesture'];

/** Of alternatives those that the text names, where it names one. */
function named(nodes, text) {
  for (const tag of TAGS) {
    const stated = new RegExp(`(?:^|[\\s{,.])${tag}\\s*=\\s*"([^"]+)"`).exec(text)?.[1];
    const some = stated && nodes.filter(node => node.properties?.[tag]?.const === stated);
    if (some?.length) return some;
  }
  return nodes;
}

const sentence = node => [node?.description, node?.default !== undefined ? `default ${JSON.stringify(node.default)}` : '']
  .filter(Boolean).join('; ');

/** Where completion begins before `at`, and what can stand there: {from, options: [{label, insert, about}]}. */
export function complete(schema, text, at) {
  const before = text.slice(0, at), lines = before.split('\n'), line = lines.at(-1);
  const header = /^\s*\[+([^\]]*)$/.exec(line);
  let from = at;
  while (from > 0 && NAME.test(text[from - 1])) from--;
  const begun = text.slice(from, at);
  const fits = options => ({from, options: options.filter(({label}) => label.startsWith(begun) && label !== begun)});
  const root = forms(schema, schema);

  // A section: its name is that of a key whose values are sections.
  if (header) {
    const path = parts(header[1].slice(0, header[1].length - begun.length));
    const nodes = path.reduce((at, part) => under(schema, at, part), root);
    return fits(keysOf(nodes));
  }
  let {path, content: own} = sectionAt(text, at);
  const assigned = /^\s*([\w.-]+)\s*=\s*(.*)$/.exec(line);
  const brace = assigned ? inner(assigned[2]) : undefined;
  if (brace !== undefined) {
    path = [...path, ...parts(assigned[1])];
    own = assigned[2] + text.slice(at).split('\n', 1)[0];
  }
  const content = brace ?? line;
  const value = /([\w.-]+)\s*=\s*("?)([^"=]*)$/.exec(content);
  const dotted = parts((value ? value[1] : content.slice(0, content.length - begun.length)).replace(/^[\s,]*/, ''));
  let nodes = path.reduce((at, part) => under(schema, at, part), root);
  if (!value) {
    nodes = dotted.reduce((at, part) => under(schema, at, part), named(nodes, own));
    return fits(keysOf(nodes));
  }
  const key = dotted.pop();
  // Of the tag itself all values are of interest, of other keys those of the alternative that is named.
  if (!TAGS.includes(key)) nodes = named(nodes, own);
  nodes = [...dotted, key].reduce((at, part) => under(schema, at, part), nodes);
  const values = nodes.flatMap(node => (node.const !== undefined ? [node.const] : node.enum ?? []).map(each => [each, node]));
  const quoted = value[2] === '"';
  return fits(unique(values.filter(([each]) => typeof each === 'string' || !quoted).map(([each, node]) => ({
    label: String(each),
    insert: typeof each === 'string' && !quoted ? `"${each}"` : String(each),
    about: sentence(node),
  }))));
}

/** The section at a place: its path, and what stands in it. */
function sectionAt(text, at) {
  const heads = [...text.matchAll(/^[ \t]*\[+([^\]\n]+)\]+/gm)];
  const own = heads.findLast(head => head.index < at), next = heads.find(head => head.index >= at);
  return {path: own ? parts(own[1]) : [], content: text.slice(own ? own.index + own[0].length : 0, next?.index)};
}

/** What stands in the innermost brace that is open, if one is. */
function inner(text) {
  const open = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') open.push(i + 1);
    if (text[i] === '}') open.pop();
  }
  return open.length ? text.slice(open.at(-1)).split(',').at(-1) : undefined;
}

const keysOf = nodes => unique(nodes.flatMap(node => Object.entries(node.properties ?? {})).map(([key, node]) =>
  ({label: key, insert: key, about: sentence(node)})));

function unique(options) {
  const found = new Map();
  for (const option of options) if (!found.has(option.label)) found.set(option.label, option);
  return [...found.values()].sort((a, b) => a.label < b.label ? -1 : 1);
}
