import { ButtonLink, Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'

export interface UnsubscribeProps {
  token: string
}

export const UnsubscribePage = ({ token }: UnsubscribeProps) => (
  <div class="stack" id="unsubscribe">
    <h1>Unsubscribe</h1>
    <p>
      Do you want to end the emails about notifications of this organization? Messages about your account still come.
    </p>
    <Form hx-post="/unsubscribe" hx-target="#unsubscribe" hx-swap="outerHTML">
      <input type="hidden" name="token" value={token} />
      <Button label="Unsubscribe" variant="primary" type="submit" />
    </Form>
  </div>
)

export const Unsubscribed = () => (
  <div class="stack" id="unsubscribe">
    <h1>You’re unsubscribed</h1>
    <p>No more emails about notifications of this organization are sent to you. You can turn them on again.</p>
    <ButtonLink label="Notification settings" href="/settings/notifications" />
  </div>
)
