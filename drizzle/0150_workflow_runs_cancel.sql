ALTER TABLE "dashboard"."notifications" ADD COLUMN "posted_by" uuid;
--> statement-breakpoint
UPDATE "dashboard"."workflows" SET "trigger" = jsonb_set("trigger", '{filter}', (
	SELECT coalesce(jsonb_agg(jsonb_build_object('field', "entry" -> 'field', 'operator', 'equals', 'value', "entry" -> 'equals') ORDER BY "place"), '[]'::jsonb)
	FROM jsonb_array_elements("trigger" -> 'filter') WITH ORDINALITY AS "filters" ("entry", "place")
)) WHERE jsonb_typeof("trigger" -> 'filter') = 'array' AND "trigger" -> 'filter' <> '[]'::jsonb;
