import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'

/** Shown by `post-composer` when the post was changed since the form was opened: both versions of each field, and a choice. */
export const Conflict = () => (
  <template data-conflict>
    <Notice
      tone="warning"
      role="alert"
      title="This post was changed while you edited it"
      text="Choose a version for each field. Nothing is lost until you save."
    >
      <div class="stack" data-merge />
      <div class="actions">
        <Button label="Merge" size="sm" variant="primary" data-use-choice />
        <Button label="Keep mine" size="sm" data-keep-mine />
        <Button label="Use theirs" size="sm" data-use-theirs />
      </div>
    </Notice>
    <template>
      <Field />
    </template>
    <template data-merged>
      <Notice role="status" title="Versions merged" text="Save the post to keep the result.">
        <div class="actions">
          <Button label="Undo" size="sm" data-undo-merge />
        </div>
      </Notice>
    </template>
  </template>
)

/** Its inputs belong to no form: they aren't sent with the post. */
const Field = () => (
  <fieldset class="field">
    <legend />
    <div class="versions">
      <Version title="Saved version" name="theirs" />
      <Version title="Your version" name="mine" />
    </div>
    <label class="check" data-own>
      <input type="radio" form="none" value="own" />
      Combine both
    </label>
    <textarea class="input" form="none" rows="5" hidden />
  </fieldset>
)

const Version = ({ title, name }: { title: string; name: 'theirs' | 'mine' }) => (
  <label class="version">
    <span class="check">
      <input type="radio" form="none" value={name} />
      <b safe>{title}</b>
    </span>
    <span class="prose" data-version={name} />
  </label>
)
