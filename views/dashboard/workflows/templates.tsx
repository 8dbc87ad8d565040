import type { WorkflowTemplate } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField, ZoneField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'

const dialogOf = (id: string): string => `template-${id}`

interface TemplatesProps {
  templates: WorkflowTemplate[]
}

/** Those that the person can use. */
export const Templates = ({ templates }: TemplatesProps) => {
  const usable = templates.filter(({ can }) => can.use)
  if (usable.length === 0) return <></>
  return (
    <section class="section" id="templates" aria-labelledby="templates-title">
      <header>
        <h2 id="templates-title">Start from a template</h2>
      </header>
      <div class="card">
        <ul class="list" data-settings aria-label="Templates">
          {usable.map((template) => (
            <Row template={template} />
          ))}
        </ul>
      </div>
      {usable.map((template) => (
        <UseDialog template={template} />
      ))}
    </section>
  )
}

const Row = ({ template: { id, name, description } }: { template: WorkflowTemplate }) => (
  <li>
    <span class="grow">
      <span safe>{name}</span>
      <small safe>{description}</small>
    </span>
    <Button
      label="Use"
      aria-label={`Use the template ${name}`}
      size="sm"
      commandfor={dialogOf(id)}
      command="show-modal"
    />
  </li>
)

const UseDialog = ({ template: { id, name, description, cron, needsUrl } }: { template: WorkflowTemplate }) => {
  const dialog = dialogOf(id)
  return (
    <Dialog id={dialog} title={name}>
      <Form hx-post={`/api/workflow-templates/${id}/workflows`} hx-target="this" hx-swap="outerHTML">
        <div class="body">
          <p safe>{description}</p>
          <TextField
            label="Name"
            name="name"
            id={`${dialog}-name`}
            value={name}
            maxlength={100}
            autocomplete="off"
            required
            autofocus
          />
          {cron === null ? null : <ZoneField label="Time zone" name="timeZone" id={`${dialog}-zone`} />}
          {needsUrl ? (
            <TextField
              label="URL"
              name="url"
              id={`${dialog}-url`}
              type="url"
              hint="Receives a signed POST request."
              maxlength={2000}
              autocomplete="off"
              required
            />
          ) : null}
          <p class="muted small">The workflow is paused until you enable it, so you can edit it first.</p>
        </div>
        <DialogButtons dialog={dialog} submit="Create workflow" />
      </Form>
    </Dialog>
  )
}
