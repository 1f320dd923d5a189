using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Validators;

namespace CoAP.Benchmarks.Suite;

/// <summary>The runner's <see cref="ThreadingDiagnoser"/> on runtimes that are newer than the runner: it takes one that it does not know for one that is too old.</summary>
internal sealed class LockContention : IDiagnoser
{
    private readonly ThreadingDiagnoser _inner = ThreadingDiagnoser.Default;

    public IEnumerable<string> Ids => [nameof(LockContention)];

    public IEnumerable<IExporter> Exporters => _inner.Exporters;

    public IEnumerable<IAnalyser> Analysers => _inner.Analysers;

    public RunMode GetRunMode(BenchmarkCase benchmarkCase) => _inner.GetRunMode(benchmarkCase);

    public void Handle(HostSignal signal, DiagnoserActionParameters parameters) => _inner.Handle(signal, parameters);

    public IEnumerable<Metric> ProcessResults(DiagnoserResults results) => _inner.ProcessResults(results);

    public void DisplayResults(ILogger logger) => _inner.DisplayResults(logger);

    public IEnumerable<ValidationError> Validate(ValidationParameters validationParameters) => [];
}
