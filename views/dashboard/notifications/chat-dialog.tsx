import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { chatDialog, chatPlace, chatRoute } from './places.ts'

export const ChatDialog = () => (
  <Dialog id={chatDialog} title="Connect chat">
    <Form hx-put={chatRoute} hx-target={`#${chatPlace}`} hx-swap="outerMorph">
      <div class="body">
        <TextField
          label="Webhook URL"
          name="url"
          id="chat-url"
          type="url"
          autocomplete="off"
          spellcheck="false"
          required
          hint="Create an incoming webhook in Slack, Mattermost, or Discord and paste its URL. It isn’t shown again."
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={chatDialog} command="close" />
        <Button
          label="Send a test"
          hx-post={`${chatRoute}/test`}
          hx-include="closest form"
          hx-target="closest form"
          hx-swap="none"
        />
        <Button label="Connect" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)
