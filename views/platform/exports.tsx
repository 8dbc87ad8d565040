import type { Export, ExportList } from '#platform/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import type { StatusLook } from '#views/ui/marks.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Time, timeText, viewerZone } from '#views/ui/time.tsx'

interface ExportsProps {
  list: ExportList
  personId: string
}

export const ExportPage = ({ list, personId }: ExportsProps) => (
  <div class="page settings">
    {list.can.exportOrganization || list.can.exportAccount ? <NewExport list={list} /> : null}
    <Exports list={list} personId={personId} />
  </div>
)

const changesList = { 'hx-target': '#export-list', 'hx-swap': 'outerMorph' } as const

const NewExport = ({ list: { can, organizationName } }: { list: ExportList }) => (
  <SettingsSection
    id="new-export"
    title="New export"
    text="A ZIP archive of JSON and image files. Passwords, tokens and keys are never included."
  >
    <div class="card">
      <ul class="list" aria-label="What to export">
        {can.exportOrganization ? (
          <Setting
            name={`Export ${organizationName ?? 'your organization'}`}
            detail="Brands, posts, images, connected accounts, members, API keys and the audit log"
          >
            <Form hx-post="/api/exports/organization" {...changesList}>
              <Button
                id="export-organization"
                label="Export"
                aria-label="Export organization"
                size="sm"
                type="submit"
              />
            </Form>
          </Setting>
        ) : null}
        {can.exportAccount ? (
          <Setting
            name="Export your account"
            detail="Your profile, memberships, households, sessions and activity. Posts are in the export of their organization."
          >
            <Form hx-post="/api/exports/account" {...changesList}>
              <Button id="export-account" label="Export" aria-label="Export account" size="sm" type="submit" />
            </Form>
          </Setting>
        ) : null}
      </ul>
    </div>
  </SettingsSection>
)

export const Exports = ({ list: { items, organizationName }, personId }: ExportsProps) => (
  <SettingsSection
    id="export-list"
    title="Your exports"
    text="An export can be downloaded for 7 days, or until a newer one is ready."
    {...liveAt('/api/exports', `exports:${personId}`)}
  >
    <div class="card">
      <ul class="list" aria-label="Your exports, newest first">
        {items.length === 0 ? <li class="muted">No exports</li> : null}
        {items.map((each) => (
          <ExportRow
            each={each}
            name={each.organizationId === null ? 'Account' : (organizationName ?? 'Organization')}
          />
        ))}
      </ul>
    </div>
  </SettingsSection>
)

const states: Record<Export['state'], StatusLook> = {
  running: { state: 'waiting', icon: 'hourglass', word: 'Running' },
  ready: { state: 'published', icon: 'circle-check', word: 'Ready' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
}

const ExportRow = ({ each, name }: { each: Export; name: string }) => (
  <Setting id={`export-${each.id}`} name={name} status={states[each.state]} detail={<Facts each={each} />}>
    {each.state === 'ready' ? (
      <ButtonLink
        label="Download"
        aria-label={`Download ${name}, requested ${timeText(each.requestedAt, viewerZone(), 'full')}`}
        size="sm"
        href={`/api/exports/${each.id}/file`}
        download=""
      />
    ) : null}
  </Setting>
)

const Facts = ({ each }: { each: Export }) => (
  <>
    Requested <Time at={each.requestedAt} />
    {each.state === 'ready' ? (
      <>
        <span safe>{` · ${sizeOf(each.bytes ?? 0)} · available until `}</span>
        <Time at={each.expiresAt} form="moment" />
      </>
    ) : null}
    {each.state === 'failed' ? ' · Export failed. Try again.' : null}
  </>
)

/** 12 KB, 3.4 MB */
function sizeOf(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
