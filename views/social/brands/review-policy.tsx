import type { Brand } from '#social/types'
import { Field, Form, SaveFooter, SelectField } from '#views/ui/form.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { describePolicy } from '../review/review-text.ts'

export const ReviewPolicy = ({ brand }: { brand: Brand }) => (
  <SettingsSection
    id="review-policy"
    title="Review"
    text="How many people must approve a post before it can be scheduled or published. It also applies to scheduled posts."
  >
    {brand.can.update ? (
      <Edit brand={brand} />
    ) : (
      <div class="card">
        <p class="body" safe>
          {describePolicy(brand.reviewPolicy)}
        </p>
      </div>
    )}
  </SettingsSection>
)

const yesOrNo = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

const Edit = ({ brand: { id, reviewPolicy } }: { brand: Brand }) => (
  <Form class="card" hx-put={`/api/brands/${id}`} hx-target="#review-policy" hx-swap="outerMorph">
    <div class="stack body" style="--gap: 1rem">
      <Field label="Approvals" id="reviewPolicy.approvals" hint="From 0, which requires none, to 10.">
        <input
          class="input"
          type="number"
          id="reviewPolicy.approvals"
          name="reviewPolicy.approvals"
          value={String(reviewPolicy.approvals)}
          min="0"
          max="10"
          required
          aria-describedby="reviewPolicy.approvals-hint reviewPolicy.approvals-error"
        />
      </Field>
      <SelectField
        label="Count the author’s own approval"
        name="reviewPolicy.allowAuthor"
        options={yesOrNo}
        value={String(reviewPolicy.allowAuthor)}
      />
      <SelectField
        label="Count approvals of guests"
        name="reviewPolicy.countGuests"
        hint="Guests review with a link, without an account."
        options={yesOrNo}
        value={String(reviewPolicy.countGuests)}
      />
    </div>
    <SaveFooter />
  </Form>
)
