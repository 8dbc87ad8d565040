import type { BulkResult } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField, ZoneField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { ScheduleHint } from './post-schedule.tsx'
import { inAnHour, type Place, wallTimeOf } from './post-text.ts'

/** A change of the checked posts: the list is refreshed afterwards, and `post-list.js` clears the selection. */
const changing = {
  'hx-post': '/api/posts/bulk',
  'hx-include': '#posts [name=ids]:checked',
  'hx-target': '#bulk-problems',
  'hx-swap': 'innerHTML',
  'data-bulk': true,
  'data-refresh': '#posts',
} as const

const vals = (action: string) => JSON.stringify({ action })

/** Shown by `post-list.js` while posts are checked. */
export const PostsSelection = ({ place }: { place: Place }) => (
  <>
    <div id="bulk-problems" />
    <div class="selection" id="selection" role="toolbar" aria-label="Selected posts" hidden>
      <span class="nowrap" role="status">
        <b data-count>0</b> selected
      </span>
      <Button label="Reschedule" icon="calendar-clock" size="sm" variant="ghost" {...opens('bulk-reschedule')} />
      <Button label="Publish now" icon="send" size="sm" variant="ghost" {...opens('bulk-publish')} />
      <Button label="Move to drafts" icon="circle-dashed" size="sm" variant="ghost" {...opens('bulk-unschedule')} />
      <Button label="Delete" icon="trash-2" size="sm" variant="ghost" hx-vals={vals('delete')} {...changing} />
      <Button label="Clear selection" icon="x" iconOnly size="sm" variant="ghost" data-clear />
    </div>
    <RescheduleDialog place={place} />
    <Dialog id="bulk-publish" title="Publish the selected posts now?">
      <Form hx-vals={vals('publish-now')} {...changing}>
        <div class="body">
          <p>They are sent within seconds. You can’t undo this here.</p>
        </div>
        <DialogButtons dialog="bulk-publish" submit="Publish now" focusCancel />
      </Form>
    </Dialog>
    <Dialog id="bulk-unschedule" title="Move the selected posts to drafts?">
      <Form hx-vals={vals('unschedule')} {...changing}>
        <div class="body">
          <p>They aren’t published until you schedule them again. Their times are removed.</p>
        </div>
        <DialogButtons dialog="bulk-unschedule" submit="Move to drafts" focusCancel />
      </Form>
    </Dialog>
  </>
)

const RescheduleDialog = ({ place: { zone, now } }: { place: Place }) => {
  const { date, time } = wallTimeOf(inAnHour(now), zone)
  return (
    <Dialog id="bulk-reschedule" title="Reschedule">
      <Form hx-vals={vals('reschedule')} {...changing}>
        <div class="body">
          <p class="muted">All selected posts are scheduled for this time.</p>
          <div class="fields">
            <TextField
              label="Date"
              name="scheduledAt.date"
              id="bulk-date"
              type="date"
              value={date}
              required
              autofocus
            />
            <TextField label="Time" name="scheduledAt.time" id="bulk-time" type="time" value={time} required />
          </div>
          <ZoneField label="Time zone" name="timeZone" id="bulk-zone" value={zone} />
          <ScheduleHint />
        </div>
        <DialogButtons dialog="bulk-reschedule" submit="Schedule" />
      </Form>
    </Dialog>
  )
}

const opens = (dialog: string) => ({ commandfor: dialog, command: 'show-modal' })

/** The response to a change of several posts. */
export const BulkProblems = ({ items, failed }: BulkResult) => {
  if (failed === 0) return <></>
  const reasons = new Set(items.flatMap(({ error }) => (error ? [error.detail] : [])))
  return (
    <Notice
      tone="warning"
      role="alert"
      dismissable
      title={failed === 1 ? '1 post wasn’t changed' : `${failed} posts weren’t changed`}
      text={[...reasons].join(' ')}
    />
  )
}

const shortcuts = [
  ['j', 'Next post'],
  ['k', 'Previous post'],
  ['Enter', 'Open the post'],
  ['x', 'Select the post'],
  ['a', 'Go to the actions on the selected posts'],
  ['e', 'Edit the post'],
  ['c', 'Create a post'],
  ['?', 'Show these shortcuts'],
] as const

export const ShortcutsDialog = () => (
  <Dialog id="shortcuts" title="Keyboard shortcuts">
    <dl class="body shortcuts">
      {shortcuts.map(([key, effect]) => (
        <>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{effect}</dd>
        </>
      ))}
    </dl>
  </Dialog>
)
