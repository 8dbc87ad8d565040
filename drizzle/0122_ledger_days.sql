CREATE TABLE "payments"."ledger_days" (
	"merchant_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"day" date NOT NULL,
	"venue_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"account" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"amount" bigint NOT NULL,
	"entries" integer NOT NULL,
	CONSTRAINT "ledger_days_merchant_id_currency_day_venue_id_kind_account_pk" PRIMARY KEY("merchant_id","currency","day","venue_id","kind","account")
);
--> statement-breakpoint
CREATE TABLE "payments"."account_charts" (
	"organization_id" uuid PRIMARY KEY NOT NULL,
	"accounts" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"rates" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"updated_by" uuid,
	"updated_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "payments"."closed_periods" (
	"merchant_id" uuid NOT NULL,
	"month" text NOT NULL,
	"organization_id" uuid NOT NULL,
	"closed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_by" uuid NOT NULL,
	"sequence" bigint NOT NULL,
	"hash" text NOT NULL,
	CONSTRAINT "closed_periods_merchant_id_month_pk" PRIMARY KEY("merchant_id","month"),
	CONSTRAINT "closed_periods_month" CHECK ("payments"."closed_periods"."month" ~ '^[0-9]{4}-(0[1-9]|1[0-2])$')
);
--> statement-breakpoint
ALTER TABLE "payments"."ledger_heads" ADD COLUMN "open_from" date;--> statement-breakpoint
ALTER TABLE "payments"."ledger_transactions" ADD COLUMN "booked_on" date;--> statement-breakpoint
-- What was posted before is booked to its day in UTC. Rewriting the column fires no trigger.
ALTER TABLE "payments"."ledger_transactions" ALTER COLUMN "booked_on" TYPE date USING ("at" AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "payments"."ledger_transactions" ALTER COLUMN "booked_on" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."ledger_transactions" ADD COLUMN "closed_month" text;--> statement-breakpoint
ALTER TABLE "payments"."closed_periods" ADD CONSTRAINT "closed_periods_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "payments"."merchants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ledger_days_by_organization" ON "payments"."ledger_days" USING btree ("organization_id","day");--> statement-breakpoint
CREATE INDEX "closed_periods_by_organization" ON "payments"."closed_periods" USING btree ("organization_id");--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_day" ON "payments"."ledger_transactions" USING btree ("merchant_id","booked_on","sequence");--> statement-breakpoint
CREATE INDEX "ledger_transactions_late" ON "payments"."ledger_transactions" USING btree ("merchant_id","closed_month") WHERE closed_month IS NOT NULL;--> statement-breakpoint
ALTER TABLE "payments"."ledger_transactions" ADD CONSTRAINT "ledger_transactions_closed_month" CHECK ("payments"."ledger_transactions"."closed_month" ~ '^[0-9]{4}-(0[1-9]|1[0-2])$');--> statement-breakpoint
INSERT INTO payments.ledger_days (merchant_id, currency, day, venue_id, kind, account, organization_id, amount, entries)
SELECT entry.merchant_id, entry.currency, one.booked_on, coalesce(entry.venue_id, '00000000-0000-0000-0000-000000000000'),
  one.kind, entry.account, entry.organization_id, sum(entry.amount), count(*)
FROM payments.ledger_entries AS entry JOIN payments.ledger_transactions AS one ON one.id = entry.transaction_id
GROUP BY 1, 2, 3, 4, 5, 6, 7;
--> statement-breakpoint
-- Nothing is booked to a closed month: those that post and those that close both lock the merchant's head.
CREATE FUNCTION payments.check_open_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added JOIN payments.ledger_heads AS head ON head.merchant_id = added.merchant_id
    WHERE added.booked_on < head.open_from
  ) THEN
    RAISE EXCEPTION 'nothing is booked to a closed month'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transactions_open_period';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transactions_open_period AFTER INSERT ON payments.ledger_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION payments.check_open_period();
--> statement-breakpoint
CREATE FUNCTION payments.keep_periods_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.open_from IS NULL OR NEW.open_from < OLD.open_from THEN
    RAISE EXCEPTION 'closed months are not opened again'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_heads_closed_months';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_heads_closed_months BEFORE UPDATE OF open_from ON payments.ledger_heads
  FOR EACH ROW WHEN (OLD.open_from IS NOT NULL AND NEW.open_from IS DISTINCT FROM OLD.open_from)
  EXECUTE FUNCTION payments.keep_periods_closed();
--> statement-breakpoint
CREATE TRIGGER closed_periods_append_only BEFORE UPDATE OR DELETE ON payments.closed_periods
  FOR EACH ROW EXECUTE FUNCTION payments.refuse_ledger_change();
