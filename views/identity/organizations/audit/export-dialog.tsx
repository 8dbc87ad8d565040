import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/form.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { viewerZone } from '#views/ui/time.tsx'
import type { AuditFilter } from '#views/ui/audit/filter.ts'

/** The dialog's id. */
export const exportDialog = 'export-audit'

/** Downloads the log, or the events of some days. */
export const ExportDialog = ({ filter: { from, to } }: { filter: AuditFilter }) => (
  <Dialog id={exportDialog} title="Export the audit log">
    <form action="/api/audit/export">
      <input type="hidden" name="timeZone" value={viewerZone()} />
      <div class="body">
        <div class="fields">
          <TextField label="From" name="from" id="export-from" type="date" value={from} autofocus />
          <TextField label="To" name="to" id="export-to" type="date" value={to} />
        </div>
        <p class="small muted">
          One JSON object per line (NDJSON), oldest first. Leave a day empty to export everything before or after it.
        </p>
      </div>
      <footer>
        <Button label="Close" variant="ghost" commandfor={exportDialog} command="close" />
        <Button label="Download" icon="download" variant="primary" type="submit" />
      </footer>
    </form>
  </Dialog>
)
