ALTER TABLE "payments"."invoice_numbers" ADD COLUMN "last_on" date;
--> statement-breakpoint
UPDATE payments.invoice_numbers AS series SET last_on = coalesce((
  SELECT max(issued_on) FROM payments.invoices
  WHERE merchant_id = series.merchant_id AND kind = series.series AND year = series.year), current_date);
--> statement-breakpoint
ALTER TABLE "payments"."invoice_numbers" ALTER COLUMN "last_on" SET NOT NULL;
--> statement-breakpoint
CREATE FUNCTION payments.check_invoice_issue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM payments.invoices
    WHERE merchant_id = NEW.merchant_id AND kind = NEW.kind AND year = NEW.year AND sequence = NEW.sequence - 1
      AND issued_on > NEW.issued_on
  ) THEN
    RAISE EXCEPTION 'invoice % is issued before the number before', NEW.number
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoices_in_order_of_days';
  END IF;
  IF NEW.reverse_charge AND NEW.kind = 'invoice' AND num_nulls(NEW.buyer_tax_number, NEW.seller->>'taxNumber') > 0 THEN
    RAISE EXCEPTION 'invoice % has reverse charge without both tax numbers', NEW.number
      USING ERRCODE = 'check_violation', CONSTRAINT = 'invoices_reverse_charge_numbers';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoices_issued BEFORE UPDATE ON payments.invoices
  FOR EACH ROW WHEN (OLD.number IS NULL AND NEW.number IS NOT NULL) EXECUTE FUNCTION payments.check_invoice_issue();
--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD COLUMN "reverse_charge_wanted" boolean;
