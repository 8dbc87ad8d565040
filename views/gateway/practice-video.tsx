import { SelectField, TextField, type Option } from '#views/ui/form.tsx'
import { BehaviorCard, Count, PracticePage, ReceivedList, ReceivedRow } from './practice-parts.tsx'

interface Behavior {
  mode: string
  on?: string
  status?: number
  retryAfter?: number
  chunkDelayMs?: number
  times?: number
}

interface Video {
  id: string
  account: string
  project: string
  title: string
  privacy: string
  length: number
  sha256: string | null
  requests: number
  createdAt: string
}

interface VideosProps {
  items: Video[]
}

export interface PracticeVideoPageProps extends VideosProps {
  behavior: Behavior
}

export const PracticeVideoPage = ({ items, behavior }: PracticeVideoPageProps) => (
  <PracticePage
    title="Practice video"
    note="Base URL: /dev/video, in the format of YouTube’s Data API"
    list={<PracticeVideos items={items} />}
    behavior={<PracticeVideoBehaviorCard behavior={behavior} scope={{}} />}
  />
)

export const PracticeVideos = ({ items }: VideosProps) => (
  <ReceivedList
    id="videos"
    url="/dev/video/api/videos"
    label="Videos, newest first"
    empty={{ title: 'No videos yet', text: 'Videos that the practice provider receives appear here.' }}
    rows={items.map(({ title, id, privacy, length, requests, account, project, sha256, createdAt }) => (
      <ReceivedRow
        title={title}
        facts={[id, privacy, `${length} bytes`, `${requests} requests`, `${account} in project ${project}`]}
        content={sha256 === null ? 'Received by several processes' : `SHA-256 ${sha256}`}
        at={createdAt}
      />
    ))}
  />
)

const modes: Option[] = [
  { value: 'ok', label: 'Respond' },
  { value: 'fail', label: 'Fail' },
  { value: 'rate_limit', label: 'Rate limit' },
  { value: 'timeout', label: 'Never respond' },
  { value: 'cut', label: 'Break the connection in a chunk' },
  { value: 'lose_answer', label: 'Accept, but lose the response' },
  { value: 'expire_session', label: 'Expire the upload session' },
]

const kinds: Option[] = [
  { value: '', label: 'All' },
  { value: 'start', label: 'Start of an upload' },
  { value: 'chunk', label: 'Chunks' },
  { value: 'probe', label: 'Probes of an upload' },
  { value: 'api', label: 'Everything but uploads' },
]

interface BehaviorProps {
  behavior: Behavior
  scope: { project?: string }
}

export const PracticeVideoBehaviorCard = ({ behavior, scope }: BehaviorProps) => (
  <BehaviorCard url="/dev/video/behavior">
    <SelectField label="Response to requests" name="mode" options={modes} value={behavior.mode} />
    <SelectField label="Requests" name="on" options={kinds} value={behavior.on ?? ''} />
    <div class="fields" style="--min: 7rem">
      <Count label="Times" name="times" value={behavior.times} placeholder="always" />
      <Count label="Chunk delay (ms)" name="chunkDelayMs" value={behavior.chunkDelayMs} placeholder="0" />
      <Count label="Failure status" name="status" value={behavior.status} placeholder="500" />
      <Count label="Retry-After (s)" name="retryAfter" value={behavior.retryAfter} placeholder="1" />
    </div>
    <TextField label="Only for project" name="project" value={scope.project} placeholder="123456789012" />
  </BehaviorCard>
)
