import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form, SelectField, TextField, type Option } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'

interface Behavior {
  mode: string
  status?: number
  retryAfter?: number
  latencyMs?: number
  chunkMs?: number
  tokens?: number
  times?: number
}

interface ReceivedRequest {
  at: string
  method: string
  path: string
  model: string | null
  keyEnding: string | null
  body: unknown
  bytes: number
  status: number | null
}

interface RequestsProps {
  items: ReceivedRequest[]
}

export interface PracticeModelsPageProps extends RequestsProps {
  behavior: Behavior
}

export const PracticeModelsPage = ({ items, behavior }: PracticeModelsPageProps) => (
  <>
    <header class="page-header">
      <h1>Practice models</h1>
      <span class="muted">Base URL: /dev/models/v1 for OpenAI, /dev/models for Anthropic</span>
    </header>
    <div class="page split">
      <PracticeModelRequests items={items} />
      <aside class="stack">
        <PracticeModelsBehaviorCard behavior={behavior} scope={{}} />
      </aside>
    </div>
  </>
)

export const PracticeModelRequests = ({ items }: RequestsProps) => (
  <div id="requests" hx-get="/dev/models/api/requests" hx-trigger="every 3s" hx-target="this" hx-swap="outerMorph">
    {items.length === 0 ? (
      <Empty icon="send" title="No requests yet" text="Requests that the practice models receive appear here." />
    ) : (
      <div class="card">
        <ul class="list" data-settings aria-label="Requests, newest first">
          {items.map((item) => (
            <ReceivedRequestRow item={item} />
          ))}
        </ul>
      </div>
    )}
  </div>
)

const maxShownBody = 400

const ReceivedRequestRow = ({ item }: { item: ReceivedRequest }) => (
  <li>
    <span class="grow">
      <b class="wrap-anywhere" safe>{`${item.method} ${item.path}`}</b>
      <small class="muted wrap-anywhere" safe>
        {describe(item)}
      </small>
      {item.body === null ? null : (
        <small class="wrap-anywhere" safe>
          {JSON.stringify(item.body).slice(0, maxShownBody)}
        </small>
      )}
    </span>
    <small class="muted nowrap">
      <Time at={item.at} form="second" />
    </small>
  </li>
)

const describe = ({ status, model, keyEnding, bytes }: ReceivedRequest): string =>
  [status ?? 'No response', model, keyEnding && `key …${keyEnding}`, `${bytes} bytes`].filter(Boolean).join(' · ')

const modes: Option[] = [
  { value: 'ok', label: 'Respond' },
  { value: 'fail', label: 'Fail' },
  { value: 'rate_limit', label: 'Rate limit' },
  { value: 'timeout', label: 'Never respond' },
  { value: 'cut', label: 'Break the connection midway' },
]

interface BehaviorProps {
  behavior: Behavior
  scope: { model?: string; apiKey?: string }
}

export const PracticeModelsBehaviorCard = ({ behavior, scope }: BehaviorProps) => (
  <section class="card" id="behavior" aria-labelledby="behavior-title">
    <header>
      <h2 id="behavior-title">Behavior</h2>
    </header>
    <div class="body">
      <Form class="stack" hx-put="/dev/models/behavior" hx-target="#behavior" hx-swap="outerMorph">
        <SelectField label="Response to requests" name="mode" options={modes} value={behavior.mode} />
        <div class="fields" style="--min: 7rem">
          <Count label="Times" name="times" value={behavior.times} placeholder="always" />
          <Count label="Latency (ms)" name="latencyMs" value={behavior.latencyMs} placeholder="0" />
          <Count label="Chunk delay (ms)" name="chunkMs" value={behavior.chunkMs} placeholder="0" />
          <Count label="Output tokens" name="tokens" value={behavior.tokens} placeholder="short" />
          <Count label="Failure status" name="status" value={behavior.status} placeholder="500" />
          <Count label="Retry-After (s)" name="retryAfter" value={behavior.retryAfter} placeholder="1" />
        </div>
        <TextField label="Only for model" name="model" value={scope.model} placeholder="practice-small" />
        <TextField label="Only for API key" name="apiKey" autocomplete="off" placeholder="sk-…" />
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
