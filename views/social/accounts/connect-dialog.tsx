import type { Integration } from '#social/types'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { TextField, Form } from '#views/ui/form.tsx'

type Provider = Integration['provider']

interface ConnectDialogProps {
  integration: Integration
  brand: { id: string; name: string }
  /** What the response changes. */
  changing?: { 'hx-target': string; 'hx-swap': 'outerMorph' | 'outerHTML' }
  /** Whether first comments are chosen at first, where they need a permission. */
  withComments?: boolean
}

const changingAccounts = { 'hx-target': '#accounts', 'hx-swap': 'outerMorph' } as const

const connectDialog = (provider: Provider): string => `connect-${provider}`

/** The attributes of a button that opens the dialog. */
export const opensConnect = (provider: Provider) => ({ commandfor: connectDialog(provider), command: 'show-modal' })

export const ConnectDialog = ({
  integration: { provider, name, connect },
  brand,
  changing = changingAccounts,
  withComments = false,
}: ConnectDialogProps) => (
  <Dialog id={connectDialog(provider)} title={`Connect ${name}`}>
    <Form hx-post={`/api/integrations/${provider}/connect`} {...changing}>
      <input type="hidden" name="brandId" value={brand.id} />
      <div class="body">
        {isOnOwnPage(provider) ? (
          <p safe>{`You continue on ${name}, where you sign in and authorize Atrium. Allow all permissions.`}</p>
        ) : null}
        {fieldsOf(provider, brand.name).map(({ name: field, ...attributes }, at) => (
          <TextField {...plain} {...attributes} name={field} id={`${provider}-${field}`} autofocus={at === 0} />
        ))}
        {provider === 'bluesky' ? <AppPassword /> : null}
        {asksForComments.has(provider) ? <CommentChoice provider={provider} checked={withComments} /> : null}
      </div>
      <DialogButtons dialog={connectDialog(provider)} submit={connect === 'authorize' ? 'Continue' : 'Connect'} />
    </Form>
  </Dialog>
)

/** The networks that need a permission for first comments. */
const asksForComments: ReadonlySet<Provider> = new Set(['facebook', 'instagram', 'youtube'])

/** What the permission would allow beyond comments. */
const moreAllowed: Partial<Record<Provider, string>> = {
  youtube: ', which also allows apps to edit and delete videos. Atrium does so only when you correct or delete a post',
}

const CommentChoice = ({ provider, checked }: { provider: Provider; checked: boolean }) => (
  <label class="check">
    <input type="checkbox" name="firstComments" value="true" id={`${provider}-firstComments`} checked={checked} />
    <span>
      Let Atrium write first comments
      <small class="muted" safe>
        {`Asks for one more permission${moreAllowed[provider] ?? ''}. You can also do it later.`}
      </small>
    </span>
  </label>
)

/** Whether the network asks for everything on its consent page, or for more than its fields. */
const isOnOwnPage = (provider: Provider): boolean => provider === 'bluesky' || fieldsOf(provider, '').length === 0

/** When it is filled in, the account is connected with it, and no page of the network opens. */
const AppPassword = () => (
  <Fold summary="Use an app password instead">
    <TextField
      {...plain}
      label="App password"
      name="appPassword"
      id="bluesky-appPassword"
      hint="Create one on Bluesky under Settings > Privacy and security > App passwords. We don’t store it"
      type="password"
    />
  </Fold>
)

type FieldProps = Omit<Parameters<typeof TextField>[0], 'id'>

/** Browsers must not correct or complete names and keys. */
const plain = { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' } as const

function fieldsOf(provider: Provider, brandName: string): FieldProps[] {
  switch (provider) {
    case 'bluesky':
      return [
        { label: 'Handle', name: 'handle', hint: 'For example, you.bsky.social. Optional for accounts there' },
        { label: 'Server', name: 'pds', hint: 'Optional. Only for self-hosted accounts', type: 'url' },
      ]
    case 'mastodon':
      return [
        {
          label: 'Instance',
          name: 'instance',
          hint: 'For example, mastodon.social. You’ll be asked to authorize Atrium there',
          required: true,
        },
      ]
    case 'discord':
      return [
        {
          label: 'Webhook URL',
          name: 'webhookUrl',
          hint: 'In Discord, edit the channel and open Integrations > Webhooks. Copy the URL of a new webhook',
          type: 'password',
          required: true,
        },
      ]
    case 'sandbox':
      return [
        {
          label: 'Handle',
          name: 'handle',
          hint: 'Any name. Lowercase letters, numbers, dots, hyphens and underscores',
          value: handleOf(brandName),
          maxlength: 30,
          pattern: String.raw`[a-z0-9_.\-]{1,30}`,
          required: true,
        },
      ]
    default:
      return []
  }
}

/** A suggested handle: `Café Müller` is cafe.muller. */
const handleOf = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9\s]/g, '')
    .trim()
    .replace(/\s+/g, '.')
    .slice(0, 30)
