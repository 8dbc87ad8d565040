-- A paid invoice stays paid, or is voided when it was marked as paid by mistake.
CREATE OR REPLACE FUNCTION payments.check_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  states text[] := ARRAY['status', 'credited', 'order_id', 'owns_order', 'paid_at', 'paid_outside', 'voided_at',
    'void_reason', 'sent_at', 'sent_to', 'version'];
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD.number IS NULL OR current_setting('atrium.erased_tenant', true) = OLD.organization_id::text THEN RETURN OLD; END IF;
    RAISE EXCEPTION 'invoice % is issued: it is not deleted', OLD.number USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.number IS NOT NULL THEN
      RAISE EXCEPTION 'an invoice is inserted as a draft' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.number IS NOT NULL THEN
    IF to_jsonb(NEW) - states <> to_jsonb(OLD) - states OR NEW.status = 'draft'
      OR (OLD.order_id IS NOT NULL AND NEW.order_id IS DISTINCT FROM OLD.order_id)
      OR (OLD.status = 'void' AND NEW.status <> 'void')
      OR (OLD.status = 'paid' AND NEW.status NOT IN ('paid', 'void')) OR NEW.credited < OLD.credited
    THEN
      RAISE EXCEPTION 'invoice % is issued: it is not changed', OLD.number USING ERRCODE = 'insufficient_privilege';
    END IF;
  ELSIF NEW.number IS NOT NULL AND NEW.sequence > 1 AND NOT EXISTS (
    SELECT FROM payments.invoices
    WHERE merchant_id = NEW.merchant_id AND kind = NEW.kind AND year = NEW.year AND sequence = NEW.sequence - 1
  ) THEN
    RAISE EXCEPTION 'invoice % does not follow the number before', NEW.number
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoices_without_gaps';
  END IF;
  RETURN NEW;
END $$;
