using System.Text.Json.Serialization;

namespace Backend;

/// <summary>What the page shows of a controller.</summary>
internal sealed record ControllerState(
    string Id, long? Sequence, DateTimeOffset? Time, double? Watts, double? Power, double? SetPoint, DateTimeOffset? LastContact)
{
    public static ControllerState Of(Controller controller)
    {
        var latest = controller.Latest;
        return new(
            controller.Id, latest?.Sequence, latest?.Time, latest?.Watts, controller.Power?.Watts, controller.SetPoint?.Watts,
            controller.Channel is null ? null : controller.LastContact);
    }
}

/// <summary>What has changed: the state of the store, the number of all controllers, the controllers of the page, and those that it no longer shows.</summary>
internal sealed record LiveUpdate(string Store, bool IsDown, int Total, IReadOnlyList<ControllerState> Controllers, IReadOnlyList<string> Gone);

/// <summary>The reason why a request failed.</summary>
internal sealed record WebProblem(string Problem);

[JsonSerializable(typeof(LiveUpdate))]
[JsonSerializable(typeof(IReadOnlyList<Reading>))]
[JsonSerializable(typeof(IReadOnlyList<StoredReadings>))]
[JsonSerializable(typeof(SetPoint))]
[JsonSerializable(typeof(SetPointDelivery))]
[JsonSerializable(typeof(WebProblem))]
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
internal sealed partial class WebContracts : JsonSerializerContext;
