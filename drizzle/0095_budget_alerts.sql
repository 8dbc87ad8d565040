CREATE TABLE "gateway"."budget_alerts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid,
	"limit_id" uuid NOT NULL,
	"percent" integer NOT NULL,
	"mode" text NOT NULL,
	"spent_nano_usd" bigint NOT NULL,
	"limit_nano_usd" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budget_alerts_percent" CHECK ("gateway"."budget_alerts"."percent" IN (50, 80, 100))
);
--> statement-breakpoint
ALTER TABLE "gateway"."budget_alerts" ADD CONSTRAINT "budget_alerts_limit_id_limits_id_fk" FOREIGN KEY ("limit_id") REFERENCES "gateway"."limits"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "budget_alerts_newest" ON "gateway"."budget_alerts" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "budget_alerts_by_limit" ON "gateway"."budget_alerts" USING btree ("limit_id");--> statement-breakpoint
CREATE INDEX "budget_alerts_by_time" ON "gateway"."budget_alerts" USING btree ("created_at");