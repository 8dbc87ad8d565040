import type { ResponseDoc, TagGroups, OperationDoc } from '#lib/openapi/reference.ts'
import type { FieldDoc } from '#lib/openapi/fields.ts'
import { titleOfName } from '#lib/text.ts'
import { Notice } from '#views/ui/feedback.tsx'
import { Code, Worded } from './code.tsx'
import { Contents } from './contents.tsx'
import { FieldBlock, Fields, Type } from './fields.tsx'
import { Permission, Route } from './route.tsx'

interface ChapterProps {
  groups: TagGroups
  tag: string
  operations: OperationDoc[]
  schemas: { name: string; type: string; fields: FieldDoc[] }[]
}

export const Chapter = ({ groups, tag, operations, schemas }: ChapterProps) => (
  <Contents groups={groups} here={tag}>
    <h1 safe>{titleOfName(tag)}</h1>
    {operations.map((operation) => (
      <Operation operation={operation} />
    ))}
    <section class="section">
      <h2>Schemas</h2>
      {schemas.map(({ name, type, fields }) => (
        <section class="schema" id={`schema-${name}`}>
          <h3>
            <code safe>{name}</code>
          </h3>
          {fields.length > 0 ? <Fields fields={fields} /> : <Type type={type} />}
        </section>
      ))}
    </section>
  </Contents>
)

const Operation = ({ operation }: { operation: OperationDoc }) => (
  <article class="operation" id={operation.id}>
    <header>
      <h2>
        <a href={`#${operation.id}`} safe>
          {operation.summary}
        </a>
      </h2>
      <p class="row" data-wrap>
        <Route method={operation.method} path={operation.path} />
        <Permission name={operation.permission} />
        <small>
          <code safe>{operation.id}</code>
        </small>
      </p>
    </header>
    {operation.deprecation ? <Notice tone="warning" title="Deprecated" text={operation.deprecation} /> : null}
    <div class="sides">
      <div class="stack">
        <FieldBlock title="Path" fields={operation.parameters.path} />
        <FieldBlock title="Query" fields={operation.parameters.query} />
        <FieldBlock title="Headers" fields={operation.parameters.header} />
        <Body body={operation.body} />
        <Answers answers={operation.responses} />
        <Problems problems={operation.problems} />
      </div>
      <div class="stack">
        <Code label={`Call ${operation.id}`} text={operation.curl} />
        {operation.example ? <Code label={`Response of ${operation.id}`} text={operation.example} /> : null}
      </div>
    </div>
  </article>
)

const Body = ({ body }: { body: OperationDoc['body'] }) =>
  body ? (
    <section>
      <h3>
        Body <Type type={body.type} schema={body.schema} />
      </h3>
      <Fields fields={body.fields} />
    </section>
  ) : (
    <></>
  )

const Answers = ({ answers }: { answers: ResponseDoc[] }) => (
  <>
    {answers.map((answer) => (
      <section>
        <h3>
          <span safe>{`Response ${answer.status}`}</span>{' '}
          {answer.type ? <Type type={answer.type} schema={answer.schema} /> : null}
        </h3>
        {answer.type ? <Fields fields={answer.fields} /> : <small safe>{answer.description}</small>}
      </section>
    ))}
  </>
)

const Problems = ({ problems }: { problems: ResponseDoc[] }) => (
  <details>
    <summary>Errors</summary>
    <dl class="facts">
      {problems.map(({ status, description }) => (
        <>
          <dt safe>{status}</dt>
          <dd>
            <Worded text={description} />
          </dd>
        </>
      ))}
    </dl>
  </details>
)
