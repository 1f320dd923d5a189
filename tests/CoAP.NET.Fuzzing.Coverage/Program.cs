using CoAP.Fuzzing;
using CoAP.Fuzzing.Coverage;
using CoAP.Fuzzing.Engine;
using SharpFuzz;

switch (args)
{
    case ["targets"]:
        foreach (var one in Targets.All) { Console.WriteLine(one.Name); }
        return 0;
    case ["seeds", var name, var folder]:
        Seeds.Write(Targets.Of(name), folder);
        return 0;
    case ["show", var file]: // what a file of AFL says, as a file of the corpus
        Console.Write(StepBytes.Read(File.ReadAllBytes(file)));
        return 0;
    case ["run", var name]:
        FuzzTarget? target = null; // instrumented code writes where the fuzzer tells it to, so nothing of it may run before
        Fuzzer.Run(stream =>
        {
            using var bytes = new MemoryStream();
            stream.CopyTo(bytes);
            target ??= Targets.Of(name);
            var input = StepBytes.Read(bytes.ToArray());
            if (input.Length <= target.MaxLength) { target.Run(input, new Trace()); }
        });
        return 0;
    default:
        Console.Error.WriteLine("CoAP.NET.Fuzzing.Coverage targets | seeds TARGET FOLDER | show FILE | run TARGET");
        return 2;
}
