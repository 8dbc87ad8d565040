import { expect, test } from 'bun:test'
import { z } from 'zod'
import { unknownFields } from '#lib/request/input.ts'

const Person = z.object({ name: z.string(), address: z.object({ city: z.string() }).optional() })
const names = (schema: z.ZodType, given: unknown) => unknownFields(schema, given).map((path) => path.join('.'))

const Tree = z.looseObject({
  get children() {
    return z.array(Tree).optional()
  },
  owner: Person.optional(),
})

const kinds: [string, z.ZodType, unknown, string[]][] = [
  ['an object', Person, { name: 'Ada', age: 7, toString: 'x' }, ['age', 'toString']],
  ['a nested object', Person, { address: { city: 'Rome', zip: 1 } }, ['address.zip']],
  ['a list', z.array(Person), [{ name: 'Ada' }, { nam: 'Bob' }], ['1.nam']],
  ['a tuple', z.tuple([Person, z.unknown()]), [{ x: 1 }, { y: 1 }], ['0.x']],
  ['a record', z.record(z.string(), Person), { ada: { name: 'Ada', x: 1 } }, ['ada.x']],
  ['wrapped schemas', Person.nullable().default({ name: '' }).readonly(), { x: 1 }, ['x']],
  [
    'a schema with a rule and a transformation',
    Person.refine(() => true).transform(({ name }) => name),
    { x: 1 },
    ['x'],
  ],
  ['a preprocessed schema', z.preprocess((value) => value, Person), { name: 'Ada', x: 1 }, ['x']],
  ['a lazy schema', z.lazy(() => Person), { x: 1 }, ['x']],
  ['a union', z.union([Person, z.object({ id: z.string() })]), { id: '1', x: 1 }, ['x']],
  ['an intersection', z.intersection(Person, z.object({ id: z.string() })), { name: 'A', id: '1', x: 1 }, ['x']],
  ['a loose object: none', z.looseObject({ name: z.string() }), { name: 'A', x: 1 }, []],
  ['the values of a catchall', z.object({}).catchall(Person), { ada: { name: 'A', x: 1 } }, ['ada.x']],
  ['a strict object: none, since it refuses them itself', z.strictObject({}), { x: 1 }, []],
  ['loose objects within each other: none', z.array(z.looseObject({ to: z.looseObject({}) })), [{ to: { x: 1 } }], []],
  [
    'a loose object within itself',
    Tree,
    { x: 1, children: [{ x: 1, owner: { name: 'A', y: 1 } }] },
    ['children.0.owner.y'],
  ],
  ['an unknown value: none', z.unknown(), { x: { y: 1 } }, []],
  ['a file: none', z.object({ file: z.instanceof(File) }), { file: new File([], 'a') }, []],
  ['a value of another type: none', Person, 'text', []],
]
test.each(kinds)('unknown fields are found in %s', (_, schema, given, expected) => {
  expect(names(schema, given)).toEqual(expected)
})

test('search for unknown fields stops at the requested number', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 1]))
  expect(unknownFields(Person, many, 10)).toHaveLength(10)
  expect(unknownFields(z.array(Person), Array(1_000).fill(many))).toHaveLength(100)
})
