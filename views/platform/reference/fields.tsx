import type { FieldDoc } from '#lib/openapi/fields.ts'

export const Type = ({ type, schema }: { type: string; schema?: string }) =>
  schema ? (
    <a class="link" href={`#schema-${schema}`}>
      <code safe>{type}</code>
    </a>
  ) : (
    <code class="muted" safe>
      {type}
    </code>
  )

export const Fields = ({ fields }: { fields: FieldDoc[] }) => (
  <ul class="told">
    {fields.map((field) => (
      <li>
        <Field field={field} />
        {field.fields.length > 0 ? <Fields fields={field.fields} /> : null}
      </li>
    ))}
  </ul>
)

const Field = ({ field }: { field: FieldDoc }) => (
  <>
    <p>
      <code>
        <b safe>{field.name}</b>
      </code>{' '}
      <Type type={field.type} schema={field.schema} /> {field.required ? <small>required</small> : null}
    </p>
    {field.notes.length > 0 ? <small safe>{field.notes.join(' · ')}</small> : null}
  </>
)

interface BlockProps {
  title: string
  fields: FieldDoc[]
}

export const FieldBlock = ({ title, fields }: BlockProps) =>
  fields.length > 0 ? (
    <section>
      <h3 safe>{title}</h3>
      <Fields fields={fields} />
    </section>
  ) : (
    <></>
  )
