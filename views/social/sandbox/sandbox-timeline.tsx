import type { Behavior, SandboxPost, Timeline } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { type Option, SelectField, TextField, Form } from '#views/ui/form.tsx'
import { Shots } from '../posts/shots.tsx'
import { Time } from '#views/ui/time.tsx'

export interface SandboxPageProps {
  timeline: Timeline
  behavior: Behavior
}

export const SandboxPage = ({ timeline, behavior }: SandboxPageProps) => (
  <>
    <header class="page-header">
      <h1 class="wrap-anywhere" safe>
        {`@${timeline.handle}`}
      </h1>
      <span class="muted">Sandbox network</span>
    </header>
    <div class="page split">
      <SandboxTimeline {...timeline} />
      <aside class="stack">
        <SandboxBehavior handle={timeline.handle} behavior={behavior} />
      </aside>
    </div>
  </>
)

export const SandboxTimeline = ({ handle, posts }: Timeline) => (
  <div
    id="timeline"
    hx-get={`${accountUrl(handle)}/timeline`}
    hx-trigger="every 3s"
    hx-target="this"
    hx-swap="outerMorph"
  >
    {posts.length === 0 ? (
      <Empty icon="send" title="No posts yet" text="Posts that Atrium publishes to this account will appear here." />
    ) : (
      <ol class="stack" aria-label="Posts, newest first">
        {groupThreads(posts).map((thread) => (
          <Thread thread={thread} handle={handle} />
        ))}
      </ol>
    )}
  </div>
)

const accountUrl = (handle: string): string => `/dev/sandbox/api/accounts/${encodeURIComponent(handle)}`

function groupThreads(posts: SandboxPost[]): SandboxPost[][] {
  const threads: SandboxPost[][] = []
  for (const post of posts) {
    const thread = threads.find((each) => each.some(({ id }) => id === post.replyTo))
    if (thread) thread.push(post)
    else threads.push([post])
  }
  return threads.reverse()
}

const Thread = ({ thread, handle }: { thread: SandboxPost[]; handle: string }) => (
  <li>
    <ol class="sandbox-thread">
      {thread.map((post) => (
        <Post post={post} handle={handle} />
      ))}
    </ol>
  </li>
)

const Post = ({ post, handle }: { post: SandboxPost; handle: string }) => (
  <li class="preview" id={`post-${post.id}`}>
    <header>
      <Avatar name={handle} size="lg" />
      <strong class="truncate" safe>
        {`@${handle}`}
      </strong>
      <small class="muted push nowrap">
        <Time at={post.receivedAt} />
        {post.editedAt === null ? null : <span> · edited</span>}
      </small>
    </header>
    <p safe>{post.text}</p>
    <Shots
      images={post.media.map(({ id, alt }) => ({
        src: `${accountUrl(handle)}/media/${id}`,
        alt,
      }))}
    />
  </li>
)

const modes: Option[] = [
  { value: 'ok', label: 'Accept every post' },
  { value: 'fail', label: 'Fail' },
  { value: 'rate_limit', label: 'Rate limit' },
  { value: 'timeout', label: 'Never respond' },
  { value: 'lose_answer', label: 'Accept, but drop the response' },
]

const readBack: Option[] = [
  { value: 'true', label: 'Can be read' },
  { value: 'false', label: 'Can’t be read' },
]

export const SandboxBehavior = ({ handle, behavior }: { handle: string; behavior: Behavior }) => (
  <section class="card" id="behavior" aria-labelledby="behavior-title">
    <header>
      <h2 id="behavior-title">Behavior</h2>
    </header>
    <div class="body">
      <Form class="stack" hx-put={`${accountUrl(handle)}/behavior`} hx-target="#behavior" hx-swap="outerMorph">
        <SelectField label="Response to posts" name="mode" options={modes} value={behavior.mode} />
        <div class="fields" style="--min: 7rem">
          <Count label="Times" name="times" value={behavior.times} placeholder="always" />
          <Count label="Latency (ms)" name="latencyMs" value={behavior.latencyMs} placeholder="0" />
          <Count label="Failure status" name="status" value={behavior.status} placeholder="500" />
          <Count label="Retry-After (seconds)" name="retryAfter" value={behavior.retryAfter} placeholder="1" />
        </div>
        <SelectField
          label="Published posts"
          name="readBack"
          options={readBack}
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
