export const newMerchantDialog = 'new-merchant'
export const editMerchantDialog = 'edit-merchant'
export const newVenueDialog = 'new-venue'
export const editVenueDialog = 'edit-venue'

/** Where the form of a dialog is loaded. */
export const formOf = (dialog: string): string => `${dialog}-form`
