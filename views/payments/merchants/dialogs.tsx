import type { Merchant, Venue } from '#payments/types'
import { Form, SelectField, TextField, ZoneField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { AddressFields } from '../address.tsx'
import { merchantsRoute, venuesRoute } from './filters.ts'
import { editMerchantDialog, editVenueDialog, formOf, newMerchantDialog, newVenueDialog } from './names.ts'

/** Its form is loaded when it opens. */
export const EditDialog = ({ id, title }: { id: string; title: string }) => (
  <Dialog id={id} title={title}>
    <div id={formOf(id)} data-answer />
  </Dialog>
)

export const NewMerchantDialog = () => (
  <Dialog id={newMerchantDialog} title="New merchant">
    <Form hx-post={merchantsRoute}>
      <div class="body stack">
        <MerchantFields id="new-merchant" />
      </div>
      <DialogButtons dialog={newMerchantDialog} submit="Create merchant" />
    </Form>
  </Dialog>
)

export const MerchantForm = ({ merchant }: { merchant: Merchant }) => (
  <Form hx-patch={`${merchantsRoute}/${merchant.id}`}>
    <div class="body stack">
      <input type="hidden" name="version" value={String(merchant.version)} />
      <MerchantFields id="merchant" merchant={merchant} />
    </div>
    <DialogButtons dialog={editMerchantDialog} submit="Save" />
  </Form>
)

const MerchantFields = ({ id, merchant }: { id: string; merchant?: Merchant }) => (
  <>
    <TextField
      label="Name"
      name="name"
      id={`${id}-name`}
      maxlength={100}
      value={merchant?.name}
      autocomplete="off"
      required
      autofocus
    />
    <TextField
      label="Legal name"
      name="legalName"
      id={`${id}-legal`}
      maxlength={200}
      value={merchant?.legalName ?? ''}
      autocomplete="off"
      hint="On invoices and statements."
    />
    <AddressFields id={id} address={merchant?.address} />
    <div class="fields">
      <TextField
        label="Tax number"
        name="taxNumber"
        id={`${id}-tax`}
        maxlength={40}
        value={merchant?.taxNumber ?? ''}
        autocomplete="off"
        placeholder="DE123456789"
      />
      <TextField
        label="Invoice prefix"
        name="invoicePrefix"
        id={`${id}-prefix`}
        maxlength={12}
        value={merchant?.invoicePrefix ?? ''}
        autocomplete="off"
        required={merchant !== undefined}
        hint="Of invoice numbers."
      />
    </div>
    <div class="fields">
      <TextField
        label="Default currency"
        name="defaultCurrency"
        id={`${id}-currency`}
        maxlength={3}
        value={merchant?.defaultCurrency ?? 'EUR'}
        autocomplete="off"
        required
      />
      <ZoneField label="Time zone" name="timeZone" id={`${id}-zone`} {...(merchant && { value: merchant.timeZone })} />
    </div>
  </>
)

export const NewVenueDialog = ({ merchants }: { merchants: Merchant[] }) => (
  <Dialog id={newVenueDialog} title="New venue">
    <Form hx-post={venuesRoute}>
      <div class="body stack">
        <SelectField
          label="Merchant"
          name="merchantId"
          id="new-venue-merchant"
          options={merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <VenueFields id="new-venue" />
      </div>
      <DialogButtons dialog={newVenueDialog} submit="Create venue" />
    </Form>
  </Dialog>
)

export const VenueForm = ({ venue }: { venue: Venue }) => (
  <Form hx-patch={`${venuesRoute}/${venue.id}`}>
    <div class="body stack">
      <input type="hidden" name="version" value={String(venue.version)} />
      <VenueFields id="venue" venue={venue} />
    </div>
    <DialogButtons dialog={editVenueDialog} submit="Save" />
  </Form>
)

const VenueFields = ({ id, venue }: { id: string; venue?: Venue }) => (
  <>
    <TextField
      label="Name"
      name="name"
      id={`${id}-name`}
      maxlength={100}
      value={venue?.name}
      autocomplete="off"
      required
      autofocus
    />
    <AddressFields id={id} address={venue?.address} />
  </>
)
