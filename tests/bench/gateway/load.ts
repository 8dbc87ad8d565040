/** Where a request goes, and the processes that it costs time. */
export interface Target {
  name: string
  urls: readonly string[]
  headers: Record<string, string>
  pids: readonly number[]
}

export interface Load {
  perSecond: number
  /** Median milliseconds from request to whole response. */
  latencyMs: number
  /** Milliseconds of the target’s processor time per request. */
  cpuMs: number
}

const body = JSON.stringify({
  model: 'gpt-4o-mini',
  messages: [
    { role: 'system', content: 'You are a helpful assistant.' },
    { role: 'user', content: 'Say hello in one short sentence.' },
  ],
  max_tokens: 256,
})

/** Callers that each wait for their response before the next request, for `ms` milliseconds. */
export async function measureLoad({ name, urls, headers, pids }: Target, callers: number, ms: number): Promise<Load> {
  const latencies: number[] = []
  const cpu = await secondsOf(pids)
  const started = performance.now()
  const call = async (url: string) => {
    for (let sentAt = performance.now(); sentAt - started < ms;) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      const text = await response.text()
      if (!text.includes('chatcmpl-9x2Rk0pQmVbT7nYc4LwE1sHd'))
        throw new Error(`${name} answered ${response.status}: ${text}`)
      const now = performance.now()
      latencies.push(now - sentAt)
      sentAt = now
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, at) => call(urls[at % urls.length] ?? '')))
  const seconds = (performance.now() - started) / 1000
  const count = latencies.length
  return {
    perSecond: count / seconds,
    latencyMs: median(latencies),
    cpuMs: (((await secondsOf(pids)) - cpu) / count) * 1000,
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** Of processor time since the processes began. */
async function secondsOf(pids: readonly number[]): Promise<number> {
  let ticks = 0
  for (const pid of pids) {
    const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? []
    ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks / 100
}
