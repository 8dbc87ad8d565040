import { Icon } from '#views/ui/icon.tsx'
import { widgetId, type WidgetItem } from './types.ts'

export const ageId = (app: string): string => `${widgetId(app)}-age`

/** Without an item while it loads. Its words are those of `widget-grid.js`, which updates them. */
export const WidgetAge = ({ app, item }: { app: string; item?: WidgetItem }) => (
  <span class="push" id={ageId(app)}>
    {item?.state === 'overview' && !item.error ? (
      <small class="muted">Overview</small>
    ) : item?.state === 'overview' ? (
      <span class="badge" data-tone="danger">
        <Icon name="circle-alert" />
        Unavailable
      </span>
    ) : item?.state === 'stale' ? (
      <span class="badge" data-tone="warning">
        <Icon name="history" />
        <Age at={item.fetchedAt} />
      </span>
    ) : item ? (
      <small class="muted">
        <Age at={item.fetchedAt} />
      </small>
    ) : null}
  </span>
)

const Age = ({ at }: { at: string }) => {
  const text = ageText(Date.now() - Date.parse(at))
  return (
    <time datetime={at} data-age safe>
      {text}
    </time>
  )
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 10) return 'Now'
  return seconds < 60 ? `${seconds} s old` : `${Math.floor(seconds / 60)} min old`
}
