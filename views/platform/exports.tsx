import type { Export, ExportList } from '#platform/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time, timeText, viewerZone } from '#views/ui/time.tsx'

interface ExportsProps {
  list: ExportList
  personId: string
}

export const ExportPage = ({ list, personId }: ExportsProps) => (
  <div class="page stack" style="--measure: 48rem; --gap: var(--space-8)">
    {list.can.exportOrganization ? (
      <section class="section" aria-labelledby="organization">
        <h2 id="organization" class="wrap-anywhere" safe>{`Export ${list.organizationName ?? 'your organization'}`}</h2>
        <p class="muted">
          Brands, posts, images, connected accounts, members, keys and the audit log as a ZIP of JSON and image files.
          Passwords, tokens and the keys themselves are never included.
        </p>
        <Form class="actions" hx-post="/api/exports/organization" {...changesList}>
          <Button id="export-organization" label="Export organization" icon="download" type="submit" />
        </Form>
      </section>
    ) : null}
    {list.can.exportAccount ? (
      <section class="section" aria-labelledby="account">
        <h2 id="account">Export your account</h2>
        <p class="muted">
          Your profile, memberships, households, sessions and activity, as a ZIP of JSON. Posts belong to their
          organization and are in its export.
        </p>
        <Form class="actions" hx-post="/api/exports/account" {...changesList}>
          <Button id="export-account" label="Export account" icon="download" type="submit" />
        </Form>
      </section>
    ) : null}
    <Exports list={list} personId={personId} />
  </div>
)

const changesList = { 'hx-target': '#export-list', 'hx-swap': 'outerMorph' } as const

export const Exports = ({ list: { items, organizationName }, personId }: ExportsProps) => (
  <section
    class="section"
    id="export-list"
    aria-labelledby="exports"
    {...liveAt('/api/exports', `exports:${personId}`)}
  >
    <h2 id="exports">Your exports</h2>
    {items.length > 0 ? (
      <ul class="list" aria-label="Your exports, newest first">
        {items.map((each) => (
          <ExportRow
            each={each}
            name={each.organizationId === null ? 'Account' : (organizationName ?? 'Organization')}
          />
        ))}
      </ul>
    ) : (
      <Empty
        small
        icon="download"
        title="No exports"
        text="An export can be downloaded for 7 days, or until a newer one is ready."
      />
    )}
  </section>
)

const states: Record<Export['state'], StatusLook> = {
  running: { state: 'waiting', icon: 'hourglass', word: 'Running' },
  ready: { state: 'published', icon: 'circle-check', word: 'Ready' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

const ExportRow = ({ each, name }: { each: Export; name: string }) => (
  <li id={`export-${each.id}`}>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {name}
      </span>{' '}
      <StatusMark {...states[each.state]} />
      <small>
        Requested <Time at={each.requestedAt} />
      </small>
      {each.state === 'ready' ? (
        <small>
          <span safe>{`${sizeOf(each.bytes ?? 0)} · available until `}</span>
          <Time at={each.expiresAt} />
        </small>
      ) : null}
      {each.state === 'failed' ? <small>Export failed. Try again.</small> : null}
    </span>
    {each.state === 'ready' ? (
      <ButtonLink
        label="Download"
        aria-label={`Download ${name}, requested ${timeText(each.requestedAt, viewerZone(), 'full')}`}
        size="sm"
        href={`/api/exports/${each.id}/file`}
        download=""
      />
    ) : null}
  </li>
)

/** 12 KB, 3.4 MB */
function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
