import { SMTPServer } from 'smtp-server'

/** A received mail. */
interface Arrived {
  recipients: string[]
  /** As transferred. */
  raw: string
}

/** A mail server on loopback that requires STARTTLS and a password. */
export interface MailServer {
  /** With the right password, for `SMTP_URL`. */
  url: string
  port: number
  arrived: Arrived[]
  /** Number of attempts to send to an address. */
  tries(address: string): number
  stop(): Promise<void>
}

/**
 * Starts it. `never@…` is refused permanently, `later@…` once temporarily, `always-later@…` each time temporarily;
 * everything else is accepted.
 */
export async function startMailServer(): Promise<MailServer> {
  const arrived: Arrived[] = []
  const tried: string[] = []
  const server = new SMTPServer({
    authMethods: ['PLAIN'],
    onAuth: ({ username, password }, { secure }, done) =>
      secure && username === 'atrium' && password === 'mail password'
        ? done(null, { user: username })
        : done(new Error('Not you')),
    onRcptTo: ({ address }, _, done) => {
      tried.push(address)
      done(refusal(address, count(tried, address)))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        arrived.push({
          recipients: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  // Some tests are about clients that disconnect.
  server.on('error', () => {})
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `smtp://atrium:mail%20password@127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    port,
    arrived,
    tries: (to) => count(tried, to),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

const count = (tried: string[], address: string): number => tried.filter((each) => each === address).length

function refusal(address: string, nth: number): Error | null {
  if (address.startsWith('never@')) return Object.assign(new Error('No such mailbox'), { responseCode: 550 })
  const isLater = address.startsWith('always-later@') || (address.startsWith('later@') && nth === 1)
  return isLater ? Object.assign(new Error('Greylisted'), { responseCode: 451 }) : null
}
