import type { AppAction, DeveloperApp } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Field, Form, SelectField, TextField, UnsavedChanges } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ActionState } from './app-actions.tsx'
import { appsCrumb } from './app-place.ts'

export interface ActionEditorProps {
  app: DeveloperApp
  action: AppAction | null
}

const pathOf = ({ id }: DeveloperApp): string => `/api/developers/apps/${id}/actions`

export const ActionEditor = ({ app, action }: ActionEditorProps) => (
  <div id="action-editor">
    <PageHeader
      title={action?.name ?? 'New action'}
      crumbs={[appsCrumb, { href: `/developers/apps/${app.id}?tab=actions`, label: app.name }]}
      status={action ? <ActionState action={action} /> : undefined}
    />
    <div class="page stack" style="--measure: 40rem">
      <ActionForm app={app} action={action} />
    </div>
  </div>
)

export const ActionForm = ({ app, action }: ActionEditorProps) => (
  <>
    {app.status === 'submitted' ? (
      <Notice title="This app is under review" text="Withdraw the submission to edit its actions." />
    ) : null}
    {action?.status === 'approved' ? (
      <Notice title="This version was approved" text="Changes create a new version, which is reviewed again." />
    ) : null}
    <Form {...(action ? saves(app, action) : { 'hx-post': pathOf(app) })} class="stack">
      <ActionFields app={app} action={action} />
      {app.status === 'submitted' ? null : <Actions app={app} action={action} />}
    </Form>
    {action ? <DeleteDialog app={app} action={action} /> : null}
  </>
)

/** An edited draft is saved in place; a new version of an approved action has its own page. */
const saves = (app: DeveloperApp, { id }: AppAction) =>
  ({ 'hx-patch': `${pathOf(app)}/${id}`, 'hx-target': '#action-editor', 'hx-swap': 'outerMorph' }) as const

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ value: method, label: method }))
const emptySchema = { type: 'object', properties: {}, required: [] }

const ActionFields = ({ app, action }: ActionEditorProps) => (
  <>
    {action ? null : (
      <TextField
        label="Name"
        name="name"
        id="action-name"
        hint="The name in the API, such as listOrders. You can’t change it later."
        maxlength={64}
        autocomplete="off"
        required
        autofocus
      />
    )}
    <TextField
      label="Summary"
      name="summary"
      id="action-summary"
      value={action?.summary}
      maxlength={200}
      autocomplete="off"
      required
    />
    <div class="fields">
      <SelectField label="Method" name="method" id="action-method" options={methods} value={action?.method} />
      <TextField
        label="Path"
        name="path"
        id="action-path"
        value={action?.path}
        placeholder="/api/orders/:id"
        maxlength={500}
        autocomplete="off"
        required
      />
    </div>
    <SelectField
      label="Permission"
      name="permission"
      id="action-permission"
      hint="Callers need this permission"
      options={permissionsOf(app, action)}
      value={action?.permission}
    />
    <Schema value={action?.inputSchema ?? emptySchema} />
  </>
)

/** An action keeps its permission as a choice, even when the app no longer declares it. */
const permissionsOf = ({ permissions }: DeveloperApp, action: AppAction | null) => {
  const declared = permissions.map(({ permission, description }) => ({
    value: permission,
    label: `${permission}: ${description}`,
  }))
  if (!action || declared.some(({ value }) => value === action.permission)) return declared
  return [...declared, { value: action.permission, label: `${action.permission}: no longer declared` }]
}

const Schema = ({ value }: { value: Record<string, unknown> }) => (
  <Field label="Input" id="action-schema" hint="JSON Schema of path, query and body as one object">
    <textarea
      class="input mono"
      id="action-schema"
      name="inputSchema"
      rows="12"
      spellcheck="false"
      aria-describedby="action-schema-hint action-schema-error"
      required
      safe
    >
      {JSON.stringify(value, null, 2)}
    </textarea>
  </Field>
)

const dialog = 'delete-action'

const Actions = ({ app, action }: ActionEditorProps) => (
  <div class="row">
    <Button label={action ? 'Save' : 'Create action'} variant="primary" type="submit" />
    <ButtonLink label="Cancel" variant="ghost" href={`/developers/apps/${app.id}?tab=actions`} />
    {action ? (
      <Button label="Delete action" icon="trash-2" variant="quiet-danger" commandfor={dialog} command="show-modal" />
    ) : null}
    <UnsavedChanges />
  </div>
)

const DeleteDialog = ({ app, action }: { app: DeveloperApp; action: AppAction }) => (
  <Dialog id={dialog} title={`Delete ${action.name}?`}>
    <Form hx-delete={`${pathOf(app)}/${action.id}`}>
      <div class="body">
        <p>
          All its versions are deleted. The published version stays in the catalog until the app is published again.
        </p>
      </div>
      <DialogButtons dialog={dialog} submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)
