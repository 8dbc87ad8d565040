import type { Integration } from '#social'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'

interface ConnectDialogProps {
  integration: Integration
  brand: { id: string; name: string }
}

/** The dialog's id. */
export const connectDialog = ({ provider }: Integration): string => `connect-${provider}`

/** Asks for what a key-based network needs; so far that is the sandbox's handle. */
export const ConnectDialog = ({ integration, brand }: ConnectDialogProps) => (
  <Dialog id={connectDialog(integration)} title={`Connect ${integration.name}`}>
    <Form hx-post={`/api/integrations/${integration.provider}/connect`}>
      <input type="hidden" name="brandId" value={brand.id} />
      <div class="body">
        <TextField
          label="Handle"
          name="handle"
          id={`${integration.provider}-handle`}
          hint="Any name you like: lowercase letters, digits, dots, hyphens, underscores"
          value={handleOf(brand.name)}
          maxlength={30}
          pattern="[a-z0-9_.\-]{1,30}"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          required
          autofocus
        />
      </div>
      <footer>
        <Button label="Cancel" variant="ghost" commandfor={connectDialog(integration)} command="close" />
        <Button label="Connect" variant="primary" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

/** A handle to begin with: `Café Müller` is cafe.muller. */
const handleOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9\s]/g, '')
    .trim()
    .replace(/\s+/g, '.')
    .slice(0, 30)
