CREATE TABLE "dashboard"."workflow_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"workflow_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"started_by" text NOT NULL,
	"event" text,
	"data" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"state" text NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"log" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"leased_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "workflow_runs_state" CHECK ("dashboard"."workflow_runs"."state" IN ('waiting', 'running', 'succeeded', 'failed', 'skipped')),
	CONSTRAINT "workflow_runs_started_by" CHECK ("dashboard"."workflow_runs"."started_by" IN ('event', 'schedule', 'test')),
	CONSTRAINT "workflow_runs_settled" CHECK (("dashboard"."workflow_runs"."settled_at" IS NULL) = ("dashboard"."workflow_runs"."state" IN ('waiting', 'running'))),
	CONSTRAINT "workflow_runs_done" CHECK ("dashboard"."workflow_runs"."done" BETWEEN 0 AND jsonb_array_length("dashboard"."workflow_runs"."steps"))
);
--> statement-breakpoint
CREATE TABLE "dashboard"."workflows" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"trigger" jsonb NOT NULL,
	"steps" jsonb NOT NULL,
	"sealed_secret" text NOT NULL,
	"next_run_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "workflows_state" CHECK ("dashboard"."workflows"."state" IN ('enabled', 'paused')),
	CONSTRAINT "workflows_planned_state" CHECK ("dashboard"."workflows"."next_run_at" IS NULL OR "dashboard"."workflows"."state" = 'enabled'),
	CONSTRAINT "workflows_steps" CHECK (jsonb_typeof("dashboard"."workflows"."steps") = 'array' AND jsonb_array_length("dashboard"."workflows"."steps") BETWEEN 1 AND 10),
	CONSTRAINT "workflows_failures" CHECK ("dashboard"."workflows"."failures" >= 0)
);
--> statement-breakpoint
CREATE TABLE "platform"."event_subscriptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"organization_id" uuid NOT NULL,
	"type" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "dashboard"."workflow_runs" ADD CONSTRAINT "workflow_runs_workflow_id_workflows_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "dashboard"."workflows"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "workflow_runs_cause" ON "dashboard"."workflow_runs" USING btree ("workflow_id","cause");--> statement-breakpoint
CREATE INDEX "workflow_runs_workflow" ON "dashboard"."workflow_runs" USING btree ("workflow_id","id");--> statement-breakpoint
CREATE INDEX "workflow_runs_day" ON "dashboard"."workflow_runs" USING btree ("organization_id","created_at");--> statement-breakpoint
CREATE INDEX "workflow_runs_leases" ON "dashboard"."workflow_runs" USING btree ("organization_id","leased_until") WHERE leased_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX "workflow_runs_expiry" ON "dashboard"."workflow_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "workflows_organization" ON "dashboard"."workflows" USING btree ("organization_id","id");--> statement-breakpoint
CREATE INDEX "workflows_planned" ON "dashboard"."workflows" USING btree ("next_run_at") WHERE next_run_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX "event_subscriptions_type" ON "platform"."event_subscriptions" USING btree ("organization_id","type");