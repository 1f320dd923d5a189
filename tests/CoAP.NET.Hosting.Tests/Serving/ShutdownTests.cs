using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>The server stops with the host, before the services that its handlers use.</summary>
public sealed class ShutdownTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task A_handler_in_progress_finishes_and_its_answer_is_sent()
    {
        await using var host = new MemoryHost();
        var other = new Worker();
        host.Services.AddHostedService(_ => other);
        await StartAsync(host, Patience);
        var answer = host.GetAsync("slow").AsTask();
        await _entered.Task.WaitAsync(Patience);

        var stopping = host.Host.StopAsync();
        other.IsStopped.Should().BeFalse("the handler may need the worker");
        _released.SetResult();

        (await answer.WaitAsync(Patience)).PayloadText.Should().Be("done");
        await stopping.WaitAsync(Patience);
        host.Log.Lines(LogLevel.Warning).Should().BeEmpty("each request was answered");
        other.IsStopped.Should().BeTrue();
    }

    [Fact]
    public async Task A_handler_that_does_not_finish_is_cut_at_the_limit_of_the_server()
    {
        await using var host = new MemoryHost();
        await StartAsync(host, TimeSpan.FromMilliseconds(50));
        _ = host.GetAsync("slow").AsTask();
        await _entered.Task.WaitAsync(Patience);

        await host.Host.StopAsync().WaitAsync(Patience);

        host.Log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().StartWith("The endpoint stops before all requests are answered (1 left), because ShutdownTimeout");
    }

    [Fact]
    public async Task A_handler_that_does_not_finish_is_cut_at_the_limit_of_the_host()
    {
        await using var host = new MemoryHost();
        host.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromMilliseconds(50));
        await StartAsync(host, TimeSpan.FromHours(1));
        _ = host.GetAsync("slow").AsTask();
        await _entered.Task.WaitAsync(Patience);

        await host.Host.Awaiting(one => one.StopAsync().WaitAsync(Patience)).Should().NotThrowAsync<TimeoutException>();

        host.Host.Services.GetRequiredService<CoapServer>().Completion.IsCompletedSuccessfully.Should().BeTrue();
    }

    private async Task StartAsync(MemoryHost host, TimeSpan limit)
    {
        host.Services.ConfigureCoapServer(settings => settings with { ShutdownTimeout = limit });
        host.Server.Map(server => server.Resources.At("slow").Get(async (_, _) =>
        {
            _entered.SetResult();
            await _released.Task;
            return Response.Content("done");
        }));
        await host.StartAsync();
    }

    private sealed class Worker : IHostedService
    {
        public bool IsStopped { get; private set; }

        public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StopAsync(CancellationToken cancellationToken)
        {
            IsStopped = true;
            return Task.CompletedTask;
        }
    }
}
