type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${Snake<Rest>}`
    : `_${Lowercase<First>}${Snake<Rest>}`
  : Text

type Defined<Value> = Exclude<Value, undefined>

/** Our input as Stripe names and encodes it: times in seconds, null as an empty text, which clears a field. */
export type Params<Value> = Value extends null
  ? ''
  : Value extends Date
    ? number
    : Value extends readonly (infer Item)[]
      ? Params<Item>[]
      : Value extends object
        ? { [Key in keyof Value as Snake<Key & string>]: Params<Defined<Value[Key]>> }
        : Value

/** Its keys are the caller’s own. */
const isOpaque = (key: string): boolean => key === 'metadata'

const snakeOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const camelOf = (name: string): string => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

function convert(value: unknown): unknown {
  if (value === null) return ''
  if (value instanceof Date) return Math.floor(value.getTime() / 1000)
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => [snakeOf(key), isOpaque(key) ? (inner ?? '') : convert(inner)]),
  )
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Params` describes what `convert` does
export const toParams = <Value extends object>(value: Value): Params<Value> => convert(value) as Params<Value>

/** Where Stripe found a fault, as our input names it: `line_items[0][price]` is `lineItems.0.price`. */
export const fieldOf = (param: string): string =>
  param
    .split(/[[\].]+/)
    .filter((part) => part !== '')
    .map(camelOf)
    .join('.')
