using System.Net.Sockets;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege;

/// <summary>Peers that leave while a handler works for them: the handler's token fires. Over real sockets.</summary>
[Collection("Loopback"), Trait("Category", "Loopback")]
public sealed class DepartedPeersTests
{
    private static readonly byte[] GetSlow = Hex.Bytes("00 e1 51 01 7a b4 736c6f77");

    [Theory]
    [InlineData(ServerMode.Async, LaneForm.Thread)]
    [InlineData(ServerMode.Async, LaneForm.ThreadPool)]
    [InlineData(ServerMode.AsyncSingle, LaneForm.Thread)]
    [InlineData(ServerMode.Sync, LaneForm.Thread)]
    public async Task A_reset_fires_the_token(ServerMode mode, LaneForm form) => await LeaveAsync(mode, form, BesiegedServer.Reset);

    [Theory]
    [InlineData(ServerMode.Async, LaneForm.Thread)]
    [InlineData(ServerMode.Async, LaneForm.ThreadPool)]
    [InlineData(ServerMode.AsyncSingle, LaneForm.Thread)]
    [InlineData(ServerMode.Sync, LaneForm.Thread)]
    public async Task A_close_fires_the_token(ServerMode mode, LaneForm form) => await LeaveAsync(mode, form, static socket => socket.Dispose());

    [Theory]
    [InlineData(ServerMode.Async, LaneForm.Thread)]
    [InlineData(ServerMode.Sync, LaneForm.Thread)]
    public async Task An_abort_fires_the_token(ServerMode mode, LaneForm form) => await LeaveAsync(mode, form, static socket => socket.Send(Hex.Bytes("00 e5")));

    private static async Task LeaveAsync(ServerMode mode, LaneForm form, Action<Socket> leave)
    {
        var time = new ManualClock();
        await using var server = new BesiegedServer(mode, settings => settings with { TimeProvider = time, LaneForm = form });
        var (entered, fired) = (new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously), new TaskCompletionSource());
        server.Server.Resources.At("slow").Get(async (_, cancellationToken) =>
        {
            using var registration = cancellationToken.Register(fired.SetResult);
            entered.SetResult();
            await fired.Task;
            return Response.Changed;
        });
        using var socket = server.Connect();
        socket.Send(GetSlow);
        socket.Receive(new byte[64]).Should().BePositive("the server has sent its CSM");
        await entered.Task.WaitAsync(RawPeer.Patience);

        leave(socket);
        var isFired = server.AskUntil(() =>
        {
            time.Advance(TimeSpan.FromSeconds(0.01));
            return fired.Task.IsCompleted;
        });

        isFired.Should().BeTrue();
        server.ShouldHaveNothingLeft();
    }
}
