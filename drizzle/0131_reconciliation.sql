CREATE TABLE "payments"."reconciliation_differences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"account" text NOT NULL,
	"cause" text NOT NULL,
	"kind" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"currency" text,
	"ledger_amount" bigint,
	"provider_amount" bigint,
	"ledger_fee" bigint,
	"provider_fee" bigint,
	"ledger_state" text,
	"provider_state" text,
	"provider_reference" text,
	"source_reference" text,
	"transaction_id" uuid,
	"merchant_id" uuid,
	"order_id" uuid,
	"payment_id" uuid,
	"refund_id" uuid,
	"item_id" uuid,
	"occurred_at" timestamp (3) with time zone,
	"proposal" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"detail" text,
	"first_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_run_id" uuid,
	"resolved_at" timestamp (3) with time zone,
	"resolved_by" uuid,
	"note" text,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "reconciliation_differences_cause" UNIQUE("organization_id","account","cause"),
	CONSTRAINT "reconciliation_differences_kind" CHECK ("payments"."reconciliation_differences"."kind" IN ('missing_in_ledger', 'missing_at_provider', 'amount_differs', 'state_differs', 'balance_differs', 'run_failed')),
	CONSTRAINT "reconciliation_differences_status" CHECK ("payments"."reconciliation_differences"."status" IN ('open', 'explained', 'recorded', 'resolved')),
	CONSTRAINT "reconciliation_differences_resolution" CHECK (("payments"."reconciliation_differences"."status" = 'open') = ("payments"."reconciliation_differences"."resolved_at" IS NULL)),
	CONSTRAINT "reconciliation_differences_explained" CHECK ("payments"."reconciliation_differences"."status" <> 'explained' OR "payments"."reconciliation_differences"."note" IS NOT NULL)
);
--> statement-breakpoint
CREATE TABLE "payments"."reconciliation_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"account" text,
	"scope" text,
	"state" text DEFAULT 'running' NOT NULL,
	"started_by" uuid,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"window_from" timestamp (3) with time zone NOT NULL,
	"window_until" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"compared" integer DEFAULT 0 NOT NULL,
	"matched" integer DEFAULT 0 NOT NULL,
	"in_transit" integer DEFAULT 0 NOT NULL,
	"differences" integer DEFAULT 0 NOT NULL,
	"error_code" text,
	"error_detail" text,
	"progress" jsonb,
	"balances" jsonb,
	CONSTRAINT "reconciliation_runs_state" CHECK ("payments"."reconciliation_runs"."state" IN ('running', 'succeeded', 'failed')),
	CONSTRAINT "reconciliation_runs_scope" CHECK ("payments"."reconciliation_runs"."scope" IN ('own', 'shared'))
);
--> statement-breakpoint
CREATE INDEX "reconciliation_differences_by_status" ON "payments"."reconciliation_differences" USING btree ("organization_id","status","id");--> statement-breakpoint
CREATE INDEX "reconciliation_differences_resolved" ON "payments"."reconciliation_differences" USING btree ("organization_id","resolved_at") WHERE resolved_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "reconciliation_runs_newest" ON "payments"."reconciliation_runs" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "reconciliation_runs_by_start" ON "payments"."reconciliation_runs" USING btree ("organization_id","started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "reconciliation_runs_one_running" ON "payments"."reconciliation_runs" USING btree ("organization_id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "ledger_transactions_by_corrected" ON "payments"."ledger_transactions" USING btree ("corrects_id") WHERE corrects_id IS NOT NULL;