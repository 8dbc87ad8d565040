import { Avatar } from '#views/ui/avatar.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { type Option, SelectField, TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { Shots } from './shots.tsx'
import { Time } from '#views/ui/time.tsx'

interface Receipt {
  id: string
  text: string
  replyTo: string | null
  media: { id: string; alt: string }[]
  receivedAt: Date
}

interface Behavior {
  mode: string
  status?: number
  retryAfter?: number
  latencyMs?: number
  times?: number
  readBack?: boolean
}

interface SandboxTimelineProps {
  handle: string
  /** Oldest first. */
  posts: Receipt[]
  behavior: Behavior
}

/** What the sandbox network shows of an account, and how it is told to behave. */
export const SandboxTimeline = ({ handle, posts, behavior }: SandboxTimelineProps) => (
  <>
    <header class="page-header">
      <h1 class="wrap-anywhere" safe>
        {`@${handle}`}
      </h1>
      <span class="muted">Sandbox network</span>
    </header>
    <div class="page split">
      <div
        id="timeline"
        hx-get={`/dev/sandbox/${encodeURIComponent(handle)}`}
        hx-trigger="every 3s"
        hx-target="this"
        hx-select="#timeline"
        hx-swap="outerMorph"
      >
        {posts.length === 0 ? (
          <Empty
            icon="send"
            title="Nothing was posted yet"
            text="What Atrium publishes to this account appears here."
          />
        ) : (
          <ol class="stack" aria-label="Posts, newest first">
            {threadsOf(posts).map((thread) => (
              <Thread thread={thread} handle={handle} />
            ))}
          </ol>
        )}
      </div>
      <aside class="stack">
        <BehaviorForm handle={handle} behavior={behavior} />
      </aside>
    </div>
  </>
)

/** Posts with the replies to them, newest thread first. */
function threadsOf(posts: Receipt[]): Receipt[][] {
  const threads: Receipt[][] = []
  for (const post of posts) {
    const thread = threads.find((each) => each.some(({ id }) => id === post.replyTo))
    if (thread) thread.push(post)
    else threads.push([post])
  }
  return threads.reverse()
}

const Thread = ({ thread, handle }: { thread: Receipt[]; handle: string }) => (
  <li>
    <ol class="sandbox-thread">
      {thread.map((post) => (
        <Post post={post} handle={handle} />
      ))}
    </ol>
  </li>
)

const Post = ({ post, handle }: { post: Receipt; handle: string }) => (
  <li class="preview" id={`post-${post.id}`}>
    <header>
      <Avatar name={handle} size="lg" />
      <strong class="truncate" safe>
        {`@${handle}`}
      </strong>
      <small class="muted push nowrap">
        <Time at={post.receivedAt} zone="UTC" />
      </small>
    </header>
    <p safe>{post.text}</p>
    <Shots
      images={post.media.map(({ id, alt }) => ({
        src: `/dev/sandbox/api/accounts/${encodeURIComponent(handle)}/media/${id}`,
        alt,
      }))}
    />
  </li>
)

const modes: Option[] = [
  { value: 'ok', label: 'Take every post' },
  { value: 'fail', label: 'Fail' },
  { value: 'rate_limit', label: 'Throttle' },
  { value: 'timeout', label: 'Never answer' },
  { value: 'lose_answer', label: 'Take it, lose the answer' },
]

const readable: Option[] = [
  { value: 'true', label: 'Can be looked up' },
  { value: 'false', label: 'Can’t be looked up' },
]

const BehaviorForm = ({ handle, behavior }: Pick<SandboxTimelineProps, 'handle' | 'behavior'>) => (
  <section class="card" aria-labelledby="behavior">
    <header>
      <h2 id="behavior">Behavior</h2>
    </header>
    <div class="body">
      <Form class="stack" hx-put={`/dev/sandbox/api/accounts/${encodeURIComponent(handle)}/behavior`}>
        <SelectField label="With the next posts" name="mode" options={modes} value={behavior.mode} />
        <div class="fields" style="--min: 7rem">
          <Count label="Times" name="times" value={behavior.times} placeholder="always" />
          <Count label="Latency in ms" name="latencyMs" value={behavior.latencyMs} placeholder="0" />
          <Count label="Status of a failure" name="status" value={behavior.status} placeholder="500" />
          <Count label="Retry after s" name="retryAfter" value={behavior.retryAfter} placeholder="1" />
        </div>
        <SelectField
          label="What arrived"
          name="readBack"
          options={readable}
          value={String(behavior.readBack ?? true)}
        />
        <div class="actions">
          <Button label="Apply" type="submit" />
        </div>
      </Form>
    </div>
  </section>
)

interface CountProps {
  label: string
  name: string
  value?: number
  placeholder: string
}

const Count = ({ label, name, value, placeholder }: CountProps) => (
  <TextField
    label={label}
    name={name}
    type="number"
    min={0}
    value={value === undefined ? undefined : String(value)}
    placeholder={placeholder}
  />
)
