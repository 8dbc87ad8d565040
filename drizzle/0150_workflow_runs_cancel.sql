ALTER TABLE "dashboard"."workflow_runs" DROP CONSTRAINT "workflow_runs_state";--> statement-breakpoint
ALTER TABLE "dashboard"."workflow_runs" ADD COLUMN "sends" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "dashboard"."workflow_runs" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "dashboard"."workflows" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "dashboard"."workflow_runs" ADD CONSTRAINT "workflow_runs_sends" CHECK ("dashboard"."workflow_runs"."sends" >= 0);--> statement-breakpoint
ALTER TABLE "dashboard"."workflow_runs" ADD CONSTRAINT "workflow_runs_state" CHECK ("dashboard"."workflow_runs"."state" IN ('waiting', 'running', 'succeeded', 'failed', 'skipped', 'cancelled'));
--> statement-breakpoint
UPDATE "dashboard"."workflows" SET "trigger" = jsonb_set("trigger", '{filter}', (
	SELECT coalesce(jsonb_agg(jsonb_build_object('field', "entry" -> 'field', 'operator', 'equals', 'value', "entry" -> 'equals') ORDER BY "place"), '[]'::jsonb)
	FROM jsonb_array_elements("trigger" -> 'filter') WITH ORDINALITY AS "filters" ("entry", "place")
)) WHERE jsonb_typeof("trigger" -> 'filter') = 'array' AND "trigger" -> 'filter' <> '[]'::jsonb;
