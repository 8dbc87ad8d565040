import type { Organization, ProofMethods } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { SettingRow } from '../organizations/setting-rows.tsx'
import { ProofField } from '../sign-in/second-factor/proof-field.tsx'

interface DeleteOrganizationProps {
  organization: Organization
  ways: ProofMethods
}

const deleting = 'delete-organization'

export const DeleteOrganization = ({ organization, ways }: DeleteOrganizationProps) => (
  <SettingRow
    name="Delete organization"
    text="Brands, posts, files, connected accounts, API keys and members are deleted after 30 days. Until then it’s locked, and any owner can cancel the deletion."
  >
    <Button
      label="Delete"
      aria-label="Delete organization"
      variant="quiet-danger"
      size="sm"
      commandfor={deleting}
      command="show-modal"
    />
    <Dialog id={deleting} title={`Delete ${organization.name}?`}>
      <Form hx-delete={`/api/organizations/${organization.id}`}>
        <div class="body stack">
          <p>
            Scheduled posts and API keys stop, and members lose access immediately. After 30 days, everything is
            permanently deleted. Published posts stay on the networks.
          </p>
          <p>
            You can’t export it while it’s locked. To keep a copy,{' '}
            <a class="link" href="/settings/export">
              export it first
            </a>
            .
          </p>
          <TextField
            label="Organization name"
            name="confirm"
            hint={`Type ${organization.name} to confirm`}
            autocomplete="off"
            spellcheck="false"
            maxlength={100}
            required
            autofocus
          />
          <ProofField id={deleting} ways={ways} />
        </div>
        <DialogButtons dialog={deleting} submit="Delete organization" danger />
      </Form>
    </Dialog>
  </SettingRow>
)
