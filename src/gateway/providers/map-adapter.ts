import type { Adapter, Answer, Part } from './adapter.ts'

interface Mapping<From, To> {
  answer(answer: Answer): Answer
  parts(parts: AsyncIterable<Part<From>>): AsyncIterable<Part<To>>
}

/** The same request with its response in another wire format. */
export const mapAdapter = <From, To>(adapter: Adapter<From>, mapping: Mapping<From, To>): Adapter<To> => ({
  path: adapter.path,
  ...(adapter.headers && { headers: adapter.headers }),
  body: (maxOutput) => adapter.body(maxOutput),
  read: (json) => mapping.answer(adapter.read(json)),
  parts: (events) => mapping.parts(adapter.parts(events)),
})

/** Item by item. */
export async function* mapParts<From, To>(
  parts: AsyncIterable<Part<From>>,
  map: (item: From) => To,
): AsyncGenerator<Part<To>> {
  for await (const part of parts) yield { ...part, item: map(part.item) }
}

export function noParts(): AsyncIterable<Part<never>> {
  throw new Error('This response is never streamed')
}
