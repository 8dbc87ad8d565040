export interface SseEvent {
  event: string
  data: string
}

const maxEventLength = 16 * 1024 * 1024

/** Reads server-sent events as they arrive; comments, ids and retry times are dropped. @throws when one is too long */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder()
  // Of an event whose end hasn’t arrived. Only the new piece is searched: a provider can send it byte by byte.
  let pieces: string[] = []
  let length = 0
  let isAfterReturn = false
  for await (const chunk of body) {
    const decoded: string = (isAfterReturn ? '\r' : '') + decoder.decode(chunk, { stream: true })
    isAfterReturn = decoded.endsWith('\r')
    const piece = (isAfterReturn ? decoded.slice(0, -1) : decoded).replaceAll('\r\n', '\n')
    if (piece === '') continue
    const isEnd = piece.includes('\n\n') || (piece.startsWith('\n') && pieces.at(-1)?.endsWith('\n') === true)
    pieces.push(piece)
    length += piece.length
    if (isEnd) {
      const blocks = pieces.join('').split('\n\n')
      const rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const found = parseEvent(block)
        if (found) yield found
      }
      pieces = rest === '' ? [] : [rest]
      length = rest.length
    }
    if (length > maxEventLength) throw new Error('The provider sent an event of more than 16 MiB')
  }
  // The last one can lack its empty line.
  const last = parseEvent(pieces.join('').trimEnd())
  if (last) yield last
}

function parseEvent(block: string): SseEvent | null {
  if (block.startsWith('data: ') && !block.includes('\n')) return { event: 'message', data: block.slice(6) }
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5))
    else if (line.startsWith('event:')) event = line.slice(6).trim()
  }
  return data.length > 0 ? { event, data: data.join('\n') } : null
}
