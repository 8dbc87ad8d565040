import { SelectField, TextField, type Option } from '#views/ui/form.tsx'
import { BehaviorCard, Count, PracticePage, ReceivedList, ReceivedRow } from './practice-parts.tsx'

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
  <PracticePage
    title="Practice models"
    note="Base URL: /dev/models/v1 for OpenAI, /dev/models for Anthropic"
    list={<PracticeModelRequests items={items} />}
    behavior={<PracticeModelsBehaviorCard behavior={behavior} scope={{}} />}
  />
)

export const PracticeModelRequests = ({ items }: RequestsProps) => (
  <ReceivedList
    id="requests"
    url="/dev/models/api/requests"
    label="Requests, newest first"
    empty={{ title: 'No requests yet', text: 'Requests that the practice models receive appear here.' }}
    rows={items.map(({ at, method, path, model, keyEnding, body, bytes, status }) => (
      <ReceivedRow
        title={`${method} ${path}`}
        facts={[status ?? 'No response', model, keyEnding && `key …${keyEnding}`, `${bytes} bytes`]}
        content={body === null ? null : JSON.stringify(body)}
        at={at}
      />
    ))}
  />
)

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
  <BehaviorCard url="/dev/models/behavior">
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
  </BehaviorCard>
)
