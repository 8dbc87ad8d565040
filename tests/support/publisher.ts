import { scaleTime } from './time-scale.ts'

/** A program of a person with an organization, through which publishing tests call the API. */
export interface Publisher {
  brandId: string
  userId: string
  organizationId: string
  /** Their bearer token. */
  token: string
  /** The server that they call. */
  url: string
  /** Calls the API. @throws when the status isn't the expected one. */
  call<Answer = Json>(method: string, path: string, body?: unknown, status?: number): Promise<Answer>
  /** Connects a sandbox account and returns the connection's id. */
  connect(handle: string): Promise<string>
  post(values: Json): Promise<Post>
  read(id: string): Promise<Post>
  /** Waits until the post meets the condition. */
  until(id: string, is: (post: Post) => boolean, limitMs?: number): Promise<Post>
  /** Sets the behavior of a sandbox account. */
  behave(handle: string, behavior: Json): Promise<void>
  received(handle: string): Promise<Received[]>
  /** The same person with a new token, for tests that take longer than one is good for. */
  signIn(url: string): Promise<Publisher>
  /** The same person on another server. */
  through(url: string): Publisher
}

type Json = Record<string, unknown>

export interface Received {
  id: string
  text: string
  replyTo: string | null
  media: { id: string; alt: string }[]
  receivedAt: string
}

export interface Post {
  id: string
  text: string
  status: string
  version: number
  scheduledAt: string | null
  platformPostId: string | null
  permalink: string | null
  publishedAt: string | null
  failureCode: string | null
  failureMessage: string | null
  failedAt: string | null
  failureRetryable: boolean | null
  waitingFor: { reason: string; postId?: string; until?: string } | null
}

/** Whether a post has reached its end. */
export const isSettled = ({ status }: Post): boolean => status === 'published' || status === 'failed'

/** Signs a person up on a server and creates their brand, on `social` when that is another server. */
export async function newPublisher(url: string, social = url): Promise<Publisher> {
  const name = `p${Bun.randomUUIDv7('hex').slice(-12)}`
  const account = {
    email: `${name}@example.com`,
    password: 'correct horse battery',
    name: 'Ada',
    createOrganization: true,
    organizationName: name,
    organizationSlug: name,
  }
  const registered = await request<Registered>(url, '', 'POST', '/register', account, 201)
  const { accessToken, user, organization } = registered
  const who = { userId: user.id, organizationId: organization.id }
  const brand = await request<{ id: string }>(social, accessToken, 'POST', '/api/brands', { name: 'Acme Coffee' }, 201)
  return publisherAt(social, accessToken, { ...who, brandId: brand.id }, account)
}

interface Registered {
  accessToken: string
  user: { id: string }
  organization: { id: string }
}

function publisherAt(
  url: string,
  token: string,
  who: Pick<Publisher, 'brandId' | 'userId' | 'organizationId'>,
  { email, password }: { email: string; password: string },
): Publisher {
  const call: Publisher['call'] = (method, path, body, status) => request(url, token, method, path, body, status)
  const read = (id: string) => call<Post>('GET', `/api/posts/${id}`)
  const sandbox = (handle: string) => `/dev/sandbox/api/accounts/${handle}`
  return {
    ...who,
    token,
    url,
    call,
    read,
    connect: async (handle) => {
      const body = { brandId: who.brandId, handle }
      const path = '/api/integrations/sandbox/connect'
      return (await call<{ connection: { id: string } }>('POST', path, body, 201)).connection.id
    },
    post: (values) => call('POST', '/api/posts', { brandId: who.brandId, provider: 'sandbox', ...values }, 201),
    until: async (id, is, limitMs = 10_000) => {
      const end = performance.now() + scaleTime(limitMs)
      // With growing pauses: some posts wait for many seconds, and each request costs a server 2 ms.
      for (let pause = 20; ; pause = Math.min(pause * 1.3, 150)) {
        const post = await read(id)
        if (is(post)) return post
        if (performance.now() > end) throw new Error(`The post did not get there: ${JSON.stringify(post)}`)
        await Bun.sleep(pause)
      }
    },
    behave: async (handle, behavior) => void (await call('PUT', `${sandbox(handle)}/behavior`, behavior)),
    received: async (handle) => (await call<{ items: Received[] }>('GET', `${sandbox(handle)}/posts`)).items,
    signIn: async (other) => {
      const { accessToken } = await request<Pick<Registered, 'accessToken'>>(other, '', 'POST', '/api/auth/login', {
        email,
        password,
      })
      return publisherAt(other, accessToken, who, { email, password })
    },
    through: (other) => publisherAt(other, token, who, { email, password }),
  }
}

async function request<Answer>(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  status = 200,
): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(!(body instanceof FormData) && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return (text ? JSON.parse(text) : null) as Answer
}

/** A time `ms` milliseconds from now, more on a busy machine, in the API's format. */
export const inMs = (ms: number): string => new Date(Date.now() + scaleTime(ms)).toISOString()
