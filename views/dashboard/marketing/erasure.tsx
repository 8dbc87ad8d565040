import { Button } from '#views/ui/button.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'

const dialog = 'erase-visitor'

/** Erasing needs an admin session, since it can't be undone. */
export const Erasure = ({ confirmedUntil }: { confirmedUntil: string | null }) => (
  <Fold summary="Erase a visitor" open={confirmedUntil !== null}>
    <div class="stack" style="--gap: var(--space-4)">
      {confirmedUntil ? <Confirmed until={confirmedUntil} /> : <Confirmation />}
    </div>
  </Fold>
)

const Confirmation = () => (
  <>
    <p class="muted">Deletes everything that an address sent, with its demos. First confirm that it’s you.</p>
    <Form hx-post="/api/admin/session">
      <TextField
        label="Code from your authenticator app"
        hint="Confirms you for 15 minutes in this browser."
        name="code"
        autocomplete="one-time-code"
        inputmode="numeric"
        required
      />
      <div class="actions">
        <Button label="Confirm" type="submit" />
      </div>
    </Form>
  </>
)

const Confirmed = ({ until }: { until: string }) => (
  <>
    <p>
      You are confirmed until <Time at={until} form="time" />.
    </p>
    <div class="actions">
      <Button label="Erase a visitor" variant="quiet-danger" commandfor={dialog} command="show-modal" />
      <Form hx-delete="/api/admin/session">
        <Button label="End confirmation" variant="ghost" type="submit" />
      </Form>
    </div>
    <Dialog id={dialog} title="Erase a visitor?">
      <Form hx-post="/api/admin/inbox/erasures">
        <div class="body stack">
          <p>Deletes all messages, entries and demos of this address. This can’t be undone.</p>
          <TextField label="Email address" name="email" type="email" autocomplete="off" required />
        </div>
        <DialogButtons dialog={dialog} submit="Erase" danger />
      </Form>
    </Dialog>
  </>
)
