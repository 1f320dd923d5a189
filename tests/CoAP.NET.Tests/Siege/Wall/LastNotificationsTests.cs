using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The errors that end observations, and the answers that wait for acknowledgements.</summary>
public sealed class LastNotificationsTests
{
    [Fact]
    public void One_account_does_not_use_up_the_confirmable_errors()
    {
        var wire = new Wire(new ManualClock());
        Resource first = null!, second = null!;
        using var server = LaneEnd.Server(
            wire,
            map =>
            {
                first = map.At("first").Observable().Get(_ => Response.Content("a"), HandlerMode.Inline);
                second = map.At("second").Observable().Get(_ => Response.Content("b"), HandlerMode.Inline);
            },
            new CoapServerSettings { MaxPendingRequests = 8, Transmission = new() { NStart = 10 } });
        using var greedy = ScriptedPeer.Client(wire, "greedy");
        using var honest = ScriptedPeer.Client(wire, "honest");
        for (var token = 1; token <= 9; token++)
        {
            greedy.Send($"CON [0x{token:x4}] GET /first (Token 0x0{token}) {{Observe: 0}}");
            greedy.TakeAll(seconds: 0);
        }
        honest.Send("CON [0x0001] GET /second (Token 0x01) {Observe: 0}");
        honest.TakeAll(seconds: 0);
        var before = greedy.Received.Count;

        first.EndObservations(ResponseCode.NotFound);
        greedy.TakeAll(seconds: 0);
        second.EndObservations(ResponseCode.NotFound);

        honest.Expect("CON [X] 4.04 Not Found (Token 0x01)");
        greedy.Received.Skip(before).Count(static bytes => (bytes[0] & 0x30) == 0).Should().Be(4, "an account holds at most as much as is free");
        greedy.Received.Should().HaveCount(before + 9, "the other errors are sent once");
    }
}
