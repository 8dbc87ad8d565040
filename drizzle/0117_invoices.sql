CREATE TABLE "payments"."invoice_lines" (
	"invoice_id" uuid NOT NULL,
	"organization_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"quantity" integer NOT NULL,
	"unit_amount" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax_rate" integer NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	CONSTRAINT "invoice_lines_invoice_id_position_pk" PRIMARY KEY("invoice_id","position"),
	CONSTRAINT "invoice_lines_quantity" CHECK ("payments"."invoice_lines"."quantity" > 0),
	CONSTRAINT "invoice_lines_amounts" CHECK ("payments"."invoice_lines"."unit_amount" >= 0 AND "payments"."invoice_lines"."discount" >= 0 AND "payments"."invoice_lines"."total" >= 0),
	CONSTRAINT "invoice_lines_tax" CHECK ("payments"."invoice_lines"."tax_rate" BETWEEN 0 AND 1000000 AND "payments"."invoice_lines"."tax" >= 0)
);
--> statement-breakpoint
CREATE TABLE "payments"."invoice_numbers" (
	"merchant_id" uuid NOT NULL,
	"series" text NOT NULL,
	"year" integer NOT NULL,
	"organization_id" uuid NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_numbers_merchant_id_series_year_pk" PRIMARY KEY("merchant_id","series","year")
);
--> statement-breakpoint
CREATE TABLE "payments"."invoices" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"merchant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'draft' NOT NULL,
	"year" integer,
	"sequence" integer,
	"number" text,
	"order_id" uuid,
	"owns_order" boolean DEFAULT false NOT NULL,
	"invoice_id" uuid,
	"refund_id" uuid,
	"customer_id" uuid,
	"currency" text NOT NULL,
	"tax_mode" text NOT NULL,
	"tax_rounding" text NOT NULL,
	"reverse_charge" boolean DEFAULT false NOT NULL,
	"subtotal" bigint NOT NULL,
	"discount" bigint NOT NULL,
	"tax" bigint NOT NULL,
	"total" bigint NOT NULL,
	"credited" bigint DEFAULT 0 NOT NULL,
	"language" text NOT NULL,
	"seller" jsonb,
	"buyer_name" text,
	"buyer_email" text,
	"buyer_tax_number" text,
	"buyer_address" jsonb,
	"reference" text,
	"note" text,
	"reason" text,
	"payment_days" integer NOT NULL,
	"service_from" date,
	"service_to" date,
	"issued_on" date,
	"due_on" date,
	"issued_at" timestamp (3) with time zone,
	"issued_by" uuid,
	"paid_at" timestamp (3) with time zone,
	"paid_outside" boolean DEFAULT false NOT NULL,
	"voided_at" timestamp (3) with time zone,
	"void_reason" text,
	"sent_at" timestamp (3) with time zone,
	"sent_to" text,
	"token" text NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "invoices_sequence" UNIQUE("merchant_id","kind","year","sequence"),
	CONSTRAINT "invoices_number" UNIQUE("merchant_id","kind","number"),
	CONSTRAINT "invoices_token" UNIQUE("token"),
	CONSTRAINT "invoices_kind" CHECK ("payments"."invoices"."kind" IN ('invoice', 'credit_note')),
	CONSTRAINT "invoices_status" CHECK (("payments"."invoices"."kind" = 'invoice' AND "payments"."invoices"."status" IN ('draft', 'open', 'paid', 'void')) OR ("payments"."invoices"."kind" = 'credit_note' AND "payments"."invoices"."status" IN ('draft', 'issued'))),
	CONSTRAINT "invoices_credit_note" CHECK (("payments"."invoices"."kind" = 'credit_note') = ("payments"."invoices"."invoice_id" IS NOT NULL)),
	CONSTRAINT "invoices_issued" CHECK (("payments"."invoices"."status" = 'draft') = ("payments"."invoices"."number" IS NULL) AND num_nulls("payments"."invoices"."year", "payments"."invoices"."sequence", "payments"."invoices"."number", "payments"."invoices"."issued_on", "payments"."invoices"."issued_at", "payments"."invoices"."seller") IN (0, 6)),
	CONSTRAINT "invoices_amounts" CHECK ("payments"."invoices"."total" > 0 AND "payments"."invoices"."discount" >= 0 AND "payments"."invoices"."tax" >= 0),
	CONSTRAINT "invoices_credited" CHECK ("payments"."invoices"."credited" BETWEEN 0 AND "payments"."invoices"."total"),
	CONSTRAINT "invoices_reverse_charge" CHECK (NOT "payments"."invoices"."reverse_charge" OR "payments"."invoices"."tax" = 0),
	CONSTRAINT "invoices_sequence_positive" CHECK ("payments"."invoices"."sequence" > 0)
);
--> statement-breakpoint
ALTER TABLE "payments"."invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "payments"."invoices"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoice_numbers" ADD CONSTRAINT "invoice_numbers_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "payments"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "payments"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_customer" FOREIGN KEY ("organization_id","customer_id") REFERENCES "payments"."customers"("organization_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments"."invoices" ADD CONSTRAINT "invoices_original" FOREIGN KEY ("invoice_id") REFERENCES "payments"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_order" ON "payments"."invoices" USING btree ("order_id") WHERE kind = 'invoice' AND status <> 'void';--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_refund" ON "payments"."invoices" USING btree ("refund_id") WHERE refund_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_newest" ON "payments"."invoices" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "invoices_by_status" ON "payments"."invoices" USING btree ("organization_id","kind","status","id");--> statement-breakpoint
CREATE INDEX "invoices_by_merchant" ON "payments"."invoices" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "invoices_by_currency" ON "payments"."invoices" USING btree ("organization_id","currency","id");--> statement-breakpoint
CREATE INDEX "invoices_by_email" ON "payments"."invoices" USING btree ("organization_id","buyer_email","id");--> statement-breakpoint
CREATE INDEX "invoices_by_due" ON "payments"."invoices" USING btree ("organization_id","due_on","id") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "invoices_by_issue" ON "payments"."invoices" USING btree ("organization_id","issued_on","id") WHERE status <> 'draft';--> statement-breakpoint
CREATE INDEX "invoices_by_original" ON "payments"."invoices" USING btree ("invoice_id") WHERE invoice_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX "invoices_by_customer" ON "payments"."invoices" USING btree ("customer_id","id") WHERE customer_id IS NOT NULL;--> statement-breakpoint
-- An issued invoice changes its state only: who pays, when it was sent, what credit notes credit. Numbers have no gaps:
-- each follows the one before, whose transaction has committed, since the counter is locked.
CREATE FUNCTION payments.check_invoice_change() RETURNS trigger LANGUAGE plpgsql AS $$
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
      OR (OLD.status = 'void' AND NEW.status <> 'void') OR NEW.credited < OLD.credited
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
--> statement-breakpoint
CREATE TRIGGER invoices_unchanged BEFORE INSERT OR UPDATE OR DELETE ON payments.invoices
  FOR EACH ROW EXECUTE FUNCTION payments.check_invoice_change();
--> statement-breakpoint
CREATE FUNCTION payments.check_invoice_line_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  line payments.invoice_lines := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  IF TG_OP <> 'INSERT' AND current_setting('atrium.erased_tenant', true) = OLD.organization_id::text THEN RETURN line; END IF;
  IF TG_OP = 'UPDATE' OR EXISTS (SELECT FROM payments.invoices WHERE id = line.invoice_id AND number IS NOT NULL) THEN
    RAISE EXCEPTION 'lines of an issued invoice are not changed' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN line;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoice_lines_unchanged BEFORE INSERT OR UPDATE OR DELETE ON payments.invoice_lines
  FOR EACH ROW EXECUTE FUNCTION payments.check_invoice_line_change();
--> statement-breakpoint
CREATE FUNCTION payments.refuse_emptying() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'payments.% keeps its rows: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
--> statement-breakpoint
CREATE TRIGGER invoices_not_emptied BEFORE TRUNCATE ON payments.invoices
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_emptying();
--> statement-breakpoint
CREATE TRIGGER invoice_lines_not_emptied BEFORE TRUNCATE ON payments.invoice_lines
  FOR EACH STATEMENT EXECUTE FUNCTION payments.refuse_emptying();
--> statement-breakpoint
-- Deletes up to `most` invoices of an erased organization, credit notes first, and returns how many it deleted.
CREATE FUNCTION payments.erase_invoices(erased uuid, most integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(
    SELECT id FROM payments.invoices WHERE organization_id = erased ORDER BY kind = 'invoice', id LIMIT most);
BEGIN
  PERFORM set_config('atrium.erased_tenant', erased::text, true);
  DELETE FROM payments.invoice_lines WHERE invoice_id = ANY (ids);
  DELETE FROM payments.invoices WHERE id = ANY (ids);
  PERFORM set_config('atrium.erased_tenant', '', true);
  RETURN cardinality(ids);
END $$;
