CREATE TABLE "gateway"."budget_differences" (
	"id" uuid PRIMARY KEY NOT NULL,
	"limit_id" uuid NOT NULL,
	"period_start" timestamp (3) with time zone NOT NULL,
	"amount_nano_usd" bigint NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "gateway"."usage_logs" ADD COLUMN "other_units" jsonb;--> statement-breakpoint
ALTER TABLE "gateway"."budget_differences" ADD CONSTRAINT "budget_differences_limit_id_limits_id_fk" FOREIGN KEY ("limit_id") REFERENCES "gateway"."limits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_differences_by_period" ON "gateway"."budget_differences" USING btree ("limit_id","period_start");