export interface SseEvent {
  event: string
  data: string
}

const maxEventLength = 16 * 1024 * 1024

/** Reads server-sent events as they arrive; comments, ids and retry times are dropped. @throws when one is too long */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.includes('\r')) text = text.replaceAll('\r\n', '\n')
    let from = 0
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n', from)) {
      const found = parseEvent(text.slice(from, end))
      if (found) yield found
      from = end + 2
    }
    text = text.slice(from)
    if (text.length > maxEventLength) throw new Error('The provider sent an event of more than 16 MiB')
  }
  // The last one can lack its empty line.
  const last = parseEvent(text.trimEnd())
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
