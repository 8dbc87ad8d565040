import Stripe from 'stripe'

export interface Receiver {
  url: string
  /** The next `count` events, in the order of their arrival. The client refuses wrong signatures. */
  take(count: number, secret: string): Promise<Stripe.Event[]>
  /** Answers the next requests with 500. */
  refuse(count: number): void
  stop(): Promise<void>
}

/** A server that receives Stripe’s webhooks. */
export function receiveWebhooks(): Receiver {
  const received: { body: string; signature: string }[] = []
  let waiting: (() => void) | null = null
  let refusals = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      if (refusals-- > 0) return new Response(null, { status: 500 })
      received.push({ body: await request.text(), signature: request.headers.get('stripe-signature') ?? '' })
      waiting?.()
      return new Response('{}')
    },
  })
  return {
    url: `${server.url.origin}/hooks`,
    take: async (count, secret) => {
      const deadline = Date.now() + 15_000
      while (received.length < count) {
        if (Date.now() > deadline) throw new Error(`Only ${received.length} of ${count} webhooks arrived`)
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting = resolve
        const timer = setTimeout(resolve, 1000)
        await promise
        clearTimeout(timer)
      }
      return Promise.all(
        received
          .splice(0, count)
          .map(({ body, signature }) => Stripe.webhooks.constructEventAsync(body, signature, secret)),
      )
    },
    refuse: (count) => (refusals = count),
    stop: () => server.stop(true),
  }
}
