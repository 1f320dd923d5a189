using System.Net;
using System.Net.Http.Json;
using CoAP;
using CoAP.Interop.Tests.Programs;
using CoAP.Options;
using FluentAssertions.Execution;
using Xunit;

namespace Backend.Tests;

/// <summary>The resources of the sample backend, over UDP and DTLS.</summary>
public sealed class BackendResourceTests(BackendResourceTests.SharedBackend shared) : IClassFixture<BackendResourceTests.SharedBackend>, IDisposable
{
    private static readonly PreSharedKey Pump = new("pump", "the key of pump"u8);
    private static readonly PreSharedKey Fan = new("fan", "the key of fan"u8);
    private static readonly PreSharedKey Operator = new("ann", "the key of ann"u8);

    private readonly HttpClient _web = new(new SocketsHttpHandler { UseProxy = false });
    private readonly BackendProgram _backend = shared.Program;

    public void Dispose() => _web.Dispose();

    [Fact]
    public async Task A_reading_that_is_sent_twice_is_acknowledged_twice_and_stored_once()
    {
        await using var backend = await BackendProgram.StartAsync();
        await using var pump = ClientOf();

        var first = await pump.PutAsync($"{backend.Coap}/controllers/pump/readings", At(7));
        var second = await pump.PutAsync($"{backend.Coap}/controllers/pump/readings", At(7));
        var both = await pump.PostAsync($"{backend.Coap}/controllers/pump/readings", new[] { At(7), At(8) });

        new[] { first.Code, second.Code, both.Code }.Should().AllBeEquivalentTo(ResponseCode.Changed);
        (await StoredAsync(backend)).Should().Equal(new StoredReadings("pump", 2, 7, 8));
        (await pump.GetAsync<Reading>($"{backend.Coap}/controllers/pump")).Should().Be(At(8));
    }

    [Theory]
    [InlineData(-1, 5, "sequence is -1")]
    [InlineData(1, double.NaN, "NaN")]
    [InlineData(1, double.PositiveInfinity, "must be between")]
    public async Task A_reading_that_cannot_be_stored_is_refused_with_a_reason(long sequence, double watts, string reason)
    {
        await using var backend = await BackendProgram.StartAsync();
        await using var pump = ClientOf();

        var response = await pump.PutAsync($"{backend.Coap}/controllers/pump/readings", At(sequence) with { Watts = watts });

        response.Code.Should().Be(ResponseCode.BadRequest);
        response.PayloadText.Should().Contain(reason);
        (await StoredAsync(backend)).Should().BeEmpty();
    }

    [Fact]
    public async Task An_id_with_other_characters_is_refused_with_a_reason()
    {
        await using var pump = ClientOf();

        var response = await pump.PutAsync($"{_backend.Coap}/controllers/a%20pump/readings", At(1));

        response.Code.Should().Be(ResponseCode.BadRequest);
        response.PayloadText.Should().Contain("1 to 64");
    }

    [Fact]
    public async Task A_controller_reports_and_reads_with_its_own_id_only()
    {
        await using var pump = ClientOf(Pump);

        var codes = new List<CoapCode>();
        codes.Add((await pump.PutAsync($"{_backend.Coaps}/controllers/pump/readings", At(1))).Code);
        codes.Add((await pump.PutAsync($"{_backend.Coaps}/controllers/fan/readings", At(1))).Code);
        codes.Add((await pump.GetAsync($"{_backend.Coaps}/controllers/fan")).Code);
        codes.Add((await pump.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(5))).Code);

        codes.Should().Equal(ResponseCode.Changed, ResponseCode.Forbidden, ResponseCode.Forbidden, ResponseCode.Forbidden);
    }

    [Fact]
    public async Task A_set_point_of_an_operator_reaches_the_controller_over_the_channel_that_it_has_opened()
    {
        var received = new TaskCompletionSource<SetPoint>();
        await using var pump = ClientOf(Pump);
        pump.Resources.At("setpoint").Put(request =>
        {
            received.SetResult(request.Read<SetPoint>());
            return Response.Changed;
        });
        (await pump.PostAsync($"{_backend.Coaps}/controllers/pump", "")).EnsureSuccess();
        await using var ann = ClientOf(Operator);

        var response = await ann.PutAsync($"{_backend.Coaps}/controllers/pump/setpoint", new SetPoint(1250));

        response.EnsureSuccess().Read<SetPointDelivery>(ann.Formats).Should().Be(new SetPointDelivery(true, null));
        (await received.Task).Should().Be(new SetPoint(1250));
        (await pump.GetAsync<SetPoint>($"{_backend.Coaps}/controllers/pump/setpoint")).Should().Be(new SetPoint(1250));
    }

    [Fact]
    public async Task A_set_point_of_an_unknown_controller_is_not_found_and_takes_no_place()
    {
        await using var backend = await BackendProgram.StartAsync("MaxControllers=1");
        await using var ann = ClientOf();

        var set = await ann.PutAsync($"{backend.Coap}/controllers/unknown/setpoint", new SetPoint(5));
        using var put = await _web.PutAsJsonAsync(new Uri(backend.Page, "api/controllers/unknown/setpoint"), new { watts = 5 });
        var report = await ann.PutAsync($"{backend.Coap}/controllers/pump/readings", At(1));

        (set.Code, put.StatusCode, report.Code).Should().Be((ResponseCode.NotFound, HttpStatusCode.NotFound, ResponseCode.Changed));
    }

    [Fact]
    public async Task An_operator_observes_the_readings_of_a_controller()
    {
        await using var fan = ClientOf(Fan);
        await using var ann = ClientOf(Operator);
        (await fan.PutAsync($"{_backend.Coaps}/controllers/fan/readings", At(1))).EnsureSuccess();
        await using var readings = ann.ObserveAsync<Reading>($"{_backend.Coaps}/controllers/fan").GetAsyncEnumerator();

        await readings.MoveNextAsync();
        var before = readings.Current;
        (await fan.PutAsync($"{_backend.Coaps}/controllers/fan/readings", At(2))).EnsureSuccess();
        await readings.MoveNextAsync();

        (before, readings.Current).Should().Be((At(1), At(2)));
    }

    [Fact]
    public async Task A_store_that_cannot_be_reached_is_answered_at_once_with_the_time_to_wait()
    {
        await using var backend = await BackendProgram.StartAsync("Store=PostgreSql", "ConnectionString=Host=127.0.0.1;Port=1;Username=nobody");
        await using var pump = ClientOf();

        var response = await pump.PutAsync($"{backend.Coap}/controllers/pump/readings", At(1));

        using var scope = new AssertionScope();
        response.Code.Should().Be(ResponseCode.ServiceUnavailable);
        response.Options.Get<MaxAge>()!.Value.Should().Be(1);
        (await backend.EndAsync()).ExitCode.Should().Be(0);
    }

    [Fact]
    public async Task A_wrong_setting_ends_the_start_with_the_key_and_the_reason()
    {
        var end = await RunningProgram.RunAsync("dotnet", Repository.Sample("Backend"), "--Backend:Store=PostgreSql", "--Backend:AllowsPlainLoopback=true");

        end.ToString().Should().Contain("Backend:ConnectionString is missing");
        end.ExitCode.Should().NotBe(0);
    }

    private static Reading At(long sequence) => new(sequence, DateTimeOffset.UnixEpoch.AddYears(50), sequence * 10);

    private static CoapClient ClientOf(PreSharedKey? key = null) =>
        new(new CoapClientSettings { Formats = Payloads.Formats, Dtls = key is null ? null : new DtlsClientSettings { PreSharedKey = key } });

    private async Task<StoredReadings[]> StoredAsync(BackendProgram backend) => (await _web.GetFromJsonAsync<StoredReadings[]>(new Uri(backend.Page, "api/stored")))!;

    /// <summary>One backend for the tests that do not ask what is stored.</summary>
    public sealed class SharedBackend : IAsyncLifetime
    {
        internal BackendProgram Program { get; private set; } = null!;

        public async Task InitializeAsync() => Program = await BackendProgram.StartAsync(
            "Keys:pump=the key of pump", "Keys:fan=the key of fan", "Keys:ann=the key of ann", "Operators:0=ann");

        public Task DisposeAsync() => Program.DisposeAsync().AsTask();
    }
}
